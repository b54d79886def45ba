#!/bin/sh
# Builds a small real Kubernetes cluster from Debian's packages alone: etcd, the API server, the controller manager,
# the scheduler, and kubemark, whose hollow nodes are real kubelets over a made-up container runtime.
#
#   CROFT_KUBERNETES=FOLDER sh scripts/kubernetes/build-cluster.sh
#
# The programs are put into FOLDER/bin. What is there already is not built again. It needs Debian 12, apt-get with the
# rights to install golang-go and etcd-server where they are missing, 4 GB in FOLDER, and ten minutes of two cores.
set -eu

cache=${CROFT_KUBERNETES:?"set CROFT_KUBERNETES to the folder that the cluster is kept in"}
mkdir -p "$cache/bin" "$cache/source" "$cache/apt/lists/partial"
cache=$(cd "$cache" && pwd)

complete=yes
tree="$cache/source/gopath/src/k8s.io/kubernetes"
grep -qs Getpid "$tree/pkg/kubelet/cri/remote/fake/endpoint.go" || complete=no
! grep -qs 'f\.Files\[path\] =' "$tree/pkg/kubelet/container/testing/os.go" || complete=no
[ -e "$tree/vendor/github.com/modern-go/reflect2/.patched" ] || complete=no
for program in etcd kube-apiserver kube-controller-manager kube-scheduler kubemark; do
  [ -x "$cache/bin/$program" ] || complete=no
done
if [ "$complete" = yes ]; then
  echo "$cache/bin has every program"
  exit 0
fi

if ! command -v go >/dev/null || ! command -v etcd >/dev/null || ! command -v dpkg-source >/dev/null; then
  apt-get update
  apt-get install -y --no-install-recommends golang-go etcd-server dpkg-dev
fi
ln -sf "$(command -v etcd)" "$cache/bin/etcd"

# The source, by a list of apt's own, so that the machine's lists stay as they are.
cd "$cache/source"
if ! ls kubernetes_*.orig.tar.gz >/dev/null 2>&1; then
  cat >"$cache/apt/debian.sources" <<'SOURCES'
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
  apt="-o Dir::Etc::SourceList=$cache/apt/debian.sources -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$cache/apt/lists -o APT::Sandbox::User="
  # shellcheck disable=SC2086
  apt-get $apt update
  # shellcheck disable=SC2086
  apt-get $apt source --download-only kubernetes
fi

# A folder of GOPATH: the vendored source is older than what -mod=vendor asks for.
if [ ! -e "$tree/.unpacked" ]; then
  rm -rf "$tree"
  mkdir -p "$tree"
  tar xzf kubernetes_*.orig.tar.gz -C "$tree" --strip-components=1
  touch "$tree/.unpacked"
fi
cd "$tree"
export GO111MODULE=off GOPATH="$cache/source/gopath" GOCACHE="$cache/source/go-build" CGO_ENABLED=0 GOFLAGS=

# The vendored reflect2 reads maps as Go before 1.18 had them, and then a program crashes now and then
# (github.com/modern-go/reflect2, version 1.0.2).
reflect2=vendor/github.com/modern-go/reflect2
if [ ! -e "$reflect2/.patched" ]; then
  sed -i 's/^func mapiterinit(rtype unsafe.Pointer, m unsafe.Pointer) \*hiter$/func mapiterinit(rtype, m unsafe.Pointer, it *hiter)/
s/^\t\/\/ rest fields are ignored$/\tt, h, buckets, bptr unsafe.Pointer\n\toverflow, oldoverflow *[]unsafe.Pointer\n\tstartBucket uintptr\n\toffset uint8\n\twrapped bool\n\tB, i uint8\n\tbucket, checkBucket uintptr/' "$reflect2/unsafe_link.go"
  sed -i 's/^\treturn &UnsafeMapIterator{$/\tvar it hiter\n\tmapiterinit(type2.rtype, *(*unsafe.Pointer)(obj), \&it)\n&/
s/^\t\thiter: *mapiterinit(.*$/\t\thiter: \&it,/' "$reflect2/unsafe_map.go"
  rm -f "$cache/bin/kube"*
  touch "$reflect2/.patched"
fi

# The made-up runtimes of all hollow nodes of a machine would have the same socket, and each the others' containers.
endpoint=pkg/kubelet/cri/remote/fake/endpoint.go
if ! grep -q Getpid "$endpoint"; then
  cat >"$endpoint" <<'ENDPOINT'
package fake

import (
	"fmt"
	"os"
)

// GenerateEndpoint returns the address of a socket of this process.
func GenerateEndpoint() (string, error) {
	return fmt.Sprintf("unix://%s/kubelet_remote_%d.sock", os.TempDir(), os.Getpid()), nil
}
ENDPOINT
  rm -f "$cache/bin/kubemark"
fi

# Their made-up file system notes each file that is made, from several threads at once, which ends the process.
files=pkg/kubelet/container/testing/os.go
if grep -q 'f\.Files\[path\] =' "$files"; then
  sed -i '/f\.Files\[path\] =/d' "$files"
  rm -f "$cache/bin/kubemark"
fi

# The one file that is generated and not in the archive.
if [ ! -e pkg/generated/openapi/zz_generated.openapi.go ]; then
  go build -o "$cache/source/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
  folders=$(
    grep -rl --include='*.go' '+k8s:openapi-gen=true' staging/src/k8s.io pkg | xargs -n1 dirname | sort -u |
      sed 's#^staging/src/#vendor/#' | grep -vE 'sample|code-generator|_examples|kube-openapi/test' |
      sed 's#^#k8s.io/kubernetes/#' | paste -sd, -
  )
  "$cache/source/openapi-gen" --logtostderr --go-header-file hack/boilerplate/boilerplate.generatego.txt \
    -i "$folders" -p k8s.io/kubernetes/pkg/generated/openapi -O zz_generated.openapi -r "$cache/source/violations"
fi

for program in kube-apiserver kubemark kube-controller-manager kube-scheduler; do
  if [ ! -x "$cache/bin/$program" ]; then
    echo "building $program"
    # The clients of clouds would take longer than all else.
    go build -tags providerless -o "$cache/bin/$program" "./cmd/$program"
  fi
done
echo "$cache/bin has every program"
