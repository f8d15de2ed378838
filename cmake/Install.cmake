# Install.cmake - what `make install` puts where.
install(TARGETS takt RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(EXISTS ${CMAKE_SOURCE_DIR}/models)
    install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/takt/models)
endif()
