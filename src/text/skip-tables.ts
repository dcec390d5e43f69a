/**
 * What is left out for its name alone. Data only; `skip-by-name.ts` reads it. A kind that could also be text stays out of
 * these tables: its content will tell.
 */

import type { SkipReason } from '../core/types.js'

export interface SkipTable {
  readonly reason: SkipReason
  readonly detail: string
  /** Whole names of files, in lower case. */
  readonly names?: string
  /** What follows the last dot, in lower case. */
  readonly extensions?: string
  /** How a name ends, where one extension is not enough; in lower case. */
  readonly endings?: string
}

export const FILE_TABLES: readonly SkipTable[] = [
  {
    reason: 'ignored-kind',
    detail: 'lock file',
    names: `package-lock.json npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json go.sum go.work.sum gradle.lockfile
      bun.lockb .terraform.lock.hcl package.resolved cabal.project.freeze`,
    extensions: 'lock',
  },
  {
    reason: 'ignored-kind',
    detail: 'image',
    extensions: `png jpg jpeg jfif gif bmp ico icns cur webp avif heic heif tif tiff svg svgz psd eps xcf sketch tga dds
      ktx exr hdr`,
  },
  { reason: 'ignored-kind', detail: 'font', extensions: 'woff woff2 ttf ttc otf eot pfb pfm' },
  {
    reason: 'ignored-kind',
    detail: 'sound or film',
    extensions: `mp3 mp4 m4a m4v wav flac ogg oga ogv opus aac aiff mid midi avi mov mkv webm wmv flv mpg mpeg 3gp swf`,
  },
  {
    reason: 'ignored-kind',
    detail: 'archive',
    extensions: `zip tar gz tgz bz2 tbz2 xz txz zst lz4 lzma 7z rar cab iso dmg jar war ear aar apk ipa deb rpm msi whl
      egg gem nupkg crx xpi vsix`,
  },
  {
    reason: 'ignored-kind',
    detail: 'compiled',
    extensions: 'o obj so dylib dll exe pdb class pyc pyo pyd elc beam rlib rmeta wasm gch pch dex',
  },
  {
    reason: 'ignored-kind',
    detail: 'office document',
    extensions: 'pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub mobi djvu chm',
  },
  {
    reason: 'ignored-kind',
    detail: 'data',
    extensions: `db db3 sqlite sqlite3 mdb accdb parquet arrow feather avro orc npy npz pkl pickle h5 hdf5 rds rdata
      sas7bdat csv tsv shp shx dbf mbtiles pcap pcapng har`,
  },
  {
    reason: 'ignored-kind',
    detail: 'model weights',
    extensions: 'onnx pt pth ckpt safetensors gguf ggml tflite mlmodel caffemodel',
  },
  {
    reason: 'ignored-kind',
    detail: 'scene or game asset',
    extensions: 'stl fbx blend dae gltf glb 3ds unitypackage uasset umap prefab',
  },
  { reason: 'ignored-kind', detail: 'source map', endings: '.js.map .mjs.map .cjs.map .css.map .ts.map' },
  {
    reason: 'ignored-kind',
    detail: 'left by an editor or a system',
    names: '.ds_store thumbs.db desktop.ini',
    extensions: 'swp swo',
  },
  {
    reason: 'minified',
    detail: 'by its name',
    endings: '.min.js .min.mjs .min.cjs .min.css -min.js .bundle.js .chunk.js',
  },
  {
    reason: 'generated',
    detail: 'by its name',
    names: 'bindata.go',
    extensions: 'snap',
    endings: `.pb.go .pb.gw.go .pb.cc .pb.c .pb.h .pb.swift .pb.dart .pbjson.dart .pbenum.dart .pbserver.dart _pb2.py
      _pb2.pyi _pb2_grpc.py _pb.rb _pb.js _pb.d.ts _grpc_pb.js .g.dart .freezed.dart .g.cs .g.i.cs .gen.go .gen.ts
      .generated.ts .generated.js .generated.cs .generated.go _generated.go _generated.rs`,
  },
  {
    reason: 'secret',
    detail: 'by its name',
    names: `.netrc _netrc .pgpass .my.cnf .git-credentials .htpasswd .pypirc .dockercfg .vault-token kubeconfig id_rsa
      id_dsa id_ecdsa id_ed25519`,
    extensions: 'pem key p12 pfx jks keystore kdbx ppk tfstate ovpn',
  },
]

/** Environment files hold secrets; the ones that show what to fill in do not. */
export const ENVIRONMENT_FILE = /^\.env(?:\.|$)/
export const ENVIRONMENT_SAMPLE = /\.(?:example|sample|template|dist|defaults?)$/

export interface SkippedDirectories {
  readonly reason: SkipReason
  readonly detail: string
  /** Exactly as written: Kubernetes has `pods`, CocoaPods has `Pods`. */
  readonly names: string
}

export const DIRECTORY_TABLES: readonly SkippedDirectories[] = [
  {
    reason: 'vendored',
    detail: 'code of others',
    names: `node_modules bower_components jspm_packages web_modules .yarn .pnpm-store vendor third_party third-party
      thirdparty 3rdparty 3rd-party Pods Carthage site-packages __pypackages__ .venv .virtualenv .tox .nox .bundle
      .stack-work elm-stuff .terraform .gradle`,
  },
  {
    reason: 'generated',
    detail: 'made by tools',
    names: `__pycache__ .mypy_cache .pytest_cache .ruff_cache .hypothesis .ipynb_checkpoints .next .nuxt .svelte-kit
      .parcel-cache .turbo .angular .nyc_output .eggs __generated__ __snapshots__ .dart_tool .zig-cache zig-cache .bloop
      .metals .sass-cache`,
  },
  { reason: 'ignored-kind', detail: 'version control', names: '.hg .svn .bzr .jj CVS _darcs .pijul' },
]

/** Files that say what the directory they lie in is. */
export const DIRECTORY_MARKS: ReadonlyMap<string, Omit<SkippedDirectories, 'names'>> = new Map([
  ['CACHEDIR.TAG', { reason: 'generated', detail: 'marked as a cache by CACHEDIR.TAG' }],
  ['pyvenv.cfg', { reason: 'vendored', detail: 'a Python environment' }],
])
