# Install.cmake - what `make install` puts where.
file(RELATIVE_PATH TAKT_PC_TO_PREFIX
     /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(cmake/takt.pc.in takt.pc @ONLY)
set(TAKT_INSTALLED takt)
if(TARGET takt_shared)
    list(APPEND TAKT_INSTALLED takt_shared)
endif()
install(TARGETS ${TAKT_INSTALLED}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/takt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/takt.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES python/takt.py DESTINATION lib/python3/dist-packages)
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/takt/models)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
