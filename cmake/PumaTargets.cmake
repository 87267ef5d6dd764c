# SPDX-License-Identifier: Apache-2.0
# How targets of this project are made: flags, warnings, sanitizers and test labels in one place.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(puma_flags INTERFACE)
target_include_directories(puma_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
# -ffp-contract=off: a*b+c becomes a fused operation only where the code says fma, so that every
# score has the same bits on every machine (design: "Numbers that are promises").
target_compile_options(puma_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wcast-qual -Wno-psabi -ffp-contract=off>)
if(PUMA_WARNINGS_AS_ERRORS)
  target_compile_options(puma_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(PUMA_SANITIZE)
  target_compile_options(puma_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer>)
  target_link_options(puma_flags INTERFACE -fsanitize=address,undefined)
endif()

# puma_add_library(dist SOURCES a.cpp ... LIBS puma::data ...): the library puma::dist of one folder of src.
function(puma_add_library name)
  cmake_parse_arguments(A "" "" "SOURCES;LIBS;PRIVATE_LIBS" ${ARGN})
  add_library(puma_${name} STATIC ${A_SOURCES})
  add_library(puma::${name} ALIAS puma_${name})
  target_link_libraries(puma_${name} PUBLIC puma_flags ${A_LIBS} PRIVATE ${A_PRIVATE_LIBS})
endfunction()

# puma_add_test(dist SOURCES ... LIBS ... [RANKS 1 2 3 4] [LABELS ...] [TIMEOUT s]): one GoogleTest binary
# <name>_test. With RANKS it is run under mpirun once per count (label mpi; name <name>.ranks<N>) and its
# sources use tests/support/mpi_main.cpp; without MPI only the one-rank run exists.
function(puma_add_test name)
  cmake_parse_arguments(A "" "TIMEOUT" "SOURCES;LIBS;RANKS;LABELS" ${ARGN})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 300)
  endif()
  if(A_RANKS)
    set(main ${PROJECT_SOURCE_DIR}/tests/support/mpi_main.cpp)
    set(main_libs GTest::gtest puma::dist)
  else()
    set(main)
    set(main_libs GTest::gtest_main)
  endif()
  add_executable(${name}_test ${A_SOURCES} ${main})
  target_link_libraries(${name}_test PRIVATE puma_flags ${main_libs} GTest::gmock ${A_LIBS})
  target_compile_definitions(${name}_test PRIVATE
    PUMA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" PUMA_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  set(env "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMP_NUM_THREADS=2")
  if(PUMA_SANITIZE)
    list(APPEND env "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0"
                    "ASAN_OPTIONS=detect_odr_violation=0:protect_shadow_gap=0")
  endif()
  if(A_RANKS)
    foreach(n ${A_RANKS})
      if(PUMA_USE_MPI)
        add_test(NAME ${name}.ranks${n}
          COMMAND ${MPIEXEC_EXECUTABLE} --oversubscribe --bind-to none -n ${n} $<TARGET_FILE:${name}_test>)
      elseif(n EQUAL 1)
        add_test(NAME ${name}.ranks1 COMMAND ${name}_test)
      else()
        continue()
      endif()
      set_tests_properties(${name}.ranks${n} PROPERTIES LABELS "mpi;ranks${n};${A_LABELS}"
        TIMEOUT ${A_TIMEOUT} ENVIRONMENT "${env}")
    endforeach()
  else()
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES LABELS "unit;${A_LABELS}" TIMEOUT ${A_TIMEOUT} ENVIRONMENT "${env}")
  endif()
endfunction()
