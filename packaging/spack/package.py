# SPDX-License-Identifier: Apache-2.0 OR MIT

from spack_repo.builtin.build_systems.generic import Package

from spack.package import *


class Omphalos(Package):
    """Runs OpenMP programs of GCC, LLVM and Intel's compilers, as they are, on a runtime that says
    where their time went and why they hang."""

    homepage = "@URL@"
    url = "@URL@/omphalos-@VERSION@-source.tar.gz"

    license("Apache-2.0 OR MIT")

    version("@VERSION@", sha256="@SHA256_SOURCE@")

    depends_on("c", type="build")
    depends_on("rust@1.95:", type="build")
    depends_on("binutils", type="build")

    requires("platform=linux target=x86_64:", msg="Omphalos runs on Linux on x86-64")

    def install(self, spec, prefix):
        cargo = which("cargo", required=True)
        cargo("xtask", "dist")
        # Not in lib: what has the names of other runtimes must be found by nobody who does not ask.
        tree = prefix.libexec.omphalos
        install_tree("target/dist", tree)
        mkdirp(prefix.bin, prefix.share)
        symlink(join_path(tree.bin, "omphalos"), join_path(prefix.bin, "omphalos"))
        symlink(join_path(tree.share, "man"), join_path(prefix.share, "man"))

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(join_path(self.prefix.bin, "omphalos"))("doctor")

    def test_run(self):
        """A program runs."""
        Executable(join_path(self.prefix.bin, "omphalos"))("run", "true")
