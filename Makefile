# takt: what one types. CMake does the work.
#
#   make            the program, build/takt; names packages that are missing
#   make demo       builds takt and shows what it does
#   make test       everything that must hold, in under 20 minutes
#   make test-long  what takes longer: fuzzing, large random sets, libraries
#   make bench      what steps cost, counted; writes docs/performance.md
#   make install    to PREFIX (default /usr/local), DESTDIR is obeyed
#   make coverage   which lines the tests reach, by folder
#   make format     clang-format on all C files
#   make packages   installs what is missing (Debian); demo, test, test-long
#                   and coverage do that first
#   make browser    installs the browser that tests of pages use

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
RELEASE := build
SANITIZE := build-asan

PACKAGES := cmake ninja-build ccache pkg-config libcmocka-dev libcjson-dev \
	libsuitesparse-dev liblapacke-dev libopenblas-dev libsundials-dev \
	libmatio-dev libhdf5-dev libzip-dev libexpat1-dev librsvg2-2

# Pages are tested in a browser where there is one; .ci/run sees to that.
BROWSER := chromium chromium-driver python3-selenium

all: release

packages:
	@tests/support/packages.sh install $(PACKAGES)

browser:
	@tests/support/packages.sh install $(BROWSER)

needed:
	@tests/support/packages.sh check $(PACKAGES)

release: needed
	@cmake -S . -B $(RELEASE) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) \
		>$(RELEASE).log 2>&1 || { cat $(RELEASE).log; exit 1; }
	@rm -f $(RELEASE).log
	@cmake --build $(RELEASE) -j $(JOBS)

demo: packages
	@JOBS=$(JOBS) ./demo.sh

test: packages
	@JOBS=$(JOBS) tests/run.sh

test-long: packages
	@JOBS=$(JOBS) TAKT_LONG=1 tests/run.sh

bench: release
	@cmake --build $(RELEASE) --target bench_num bench_driver -j $(JOBS)
	@bench/run.sh
	@bench/constant_work.sh

install: release
	@cmake --install $(RELEASE) --prefix $(PREFIX)

coverage: packages
	@JOBS=$(JOBS) tests/coverage.sh

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf $(RELEASE) $(SANITIZE) build-coverage

.PHONY: all packages browser needed release demo test test-long bench install coverage format clean
