// SPDX-License-Identifier: MIT
// Tables of kinds and of package extensions. Data only.
//
// To add an extension, add a word to the row of the kind under which users would look for such a
// file. If an extension has several meanings, the one that is searched for by kind decides. The
// ambiguous ones: (clang-format is off because it would join the lines.)
// clang-format off
//   ts cts            code: TypeScript, though MPEG streams of receivers have it too
//   mts m2ts          video: cameras' AVCHD, not TypeScript's modules
//   mod               audio: music of trackers; go.mod is known by its whole name
//   key               presentation: Keynote; private keys have it, but are not searched for by kind
//   pages numbers     document, spreadsheet: Apple's, files and packages alike
//   md mdx tex        text: read and written as such
//   html css          code, with all that makes a page; a page saved as one file (mht) is a document
//   svg               image
//   json xml plist    data, whatever else is written in them
//   obj               model: Wavefront's; compilers for Windows write it too
//   m r d v           code: Objective-C or MATLAB, R, D, Verilog
//   ps eps            document, image
//   ai psd            image: they are drawn
//   jar               app: it is run; war and ear are unpacked by a server, so they are archives
//   deb rpm pkg msi   app: what is installed to be run
//   bin               binary; dat says nothing and has no kind, like bak and tmp
//   out               nothing: nohup.out is text; a.out is known by its whole name
//   img               disk-image, not GEM's or IMAX's pictures
//   nes gba rom cso   disk-image: a game as copied off its cartridge is what one off its disc is
//   vhd               disk-image: Virtual PC's; VHDL has vhdl
//   com               app: of DOS
//   vcs               data: calendars, not Versions
//   sig               data: signatures, not interfaces in Standard ML
//   mf                font: Metafont's; manifest.mf is known by its whole name
//   sub idx           text: subtitles; binary: the index of a pack
//   pdf djvu cbz      document, ebook, ebook
// clang-format on
#include "query/kinds.h"

#include <array>

namespace ffind::query {
namespace {

// A row: the kind, its name as the manual has it, other words for it, extensions, whole names. All
// in lower case. A whole name is needed only for files whose extension says nothing or something
// else.
constexpr KindRow table[] = {
    {Kind::folder, "folder", "folders directory directories dir", ""},

    {Kind::text, "text", "texts txt plaintext note notes",
     "txt text md mdx mkd mkdn markdown mdown rst adoc asciidoc asc textile org log nfo diz "
     "readme me 1st changelog tex ltx latex sty cls bib bst srt ass ssa sub vtt lrc sbv smi po pot "
     "diff patch rej creole mediawiki wiki pod rdoc texi texinfo man mdoc roff troff ms "
     "strings fountain todo taskpaper",
     "readme license licence copying copyright authors contributors changelog changes news todo "
     "install notice version thanks maintainers history credits patents bugs faq manifest "
     "manifest.mf codeowners unlicense copying.lesser robots.txt"},

    {Kind::code, "code", "source sources script scripts program-text",
     // C and its family, and what is compiled
     "c h cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp txx ixx cppm ino m mm cs csx vb fs fsi fsx "
     "java kt kts scala sc groovy gvy clj cljs cljc edn swift go rs d di zig nim nims v vh sv svh "
     "vhdl cr odin jai hx hxml vala vapi ada adb ads pas pp dpr lpr inc bas frm f for f77 f90 "
     "f95 f03 f08 ftn cob cbl cpy asm s nasm ll cu cuh cl metal glsl vert frag geom comp tesc tese "
     "hlsl fx wgsl shader usf ush y yy ypp lex l re2c i ii swg def "
     // languages of scripts and of logic
     "py pyw pyi pyx pxd pxi rb rbw rake gemspec erb ru pl pm pl6 pm6 raku t lua tcl tk php php3 "
     "php4 php5 phtml phps r rmd rnw jl m4 awk sed sh bash zsh fish ksh csh tcsh dash "
     "command ps1 psm1 psd1 bat cmd btm vbs vbe wsf ahk au3 applescript scpt scptd el lisp "
     "lsp scm ss rkt hs lhs elm ml mli mll mly re rei purs idr agda lean coq thy erl hrl "
     "ex exs eex heex dart coffee litcoffee ls iced gd gdshader nut pike st sml pro prolog "
     "sas do ado sps stan mo wl nb ipynb hy janet fnl "
     // pages and what makes them
     "html htm xhtml shtml xht css scss sass less styl js mjs cjs jsx ts tsx cts vue svelte astro "
     "jsp jspx asp aspx ascx cshtml razor ejs hbs handlebars mustache pug jade haml slim liquid "
     "twig njk j2 jinja jinja2 tmpl tpl xsl xslt xq xquery xql wat "
     // building, interfaces, queries
     "cmake mk mak make ninja bazel bzl build gyp gypi gn gradle sbt am ac in pri qml "
     "qrc ui xib storyboard nib storyboardc proto thrift capnp fbs idl avdl graphql gql prisma "
     "http sql psql plsql pkb pks ddl dml sparql cypher tf tfvars hcl nix dhall jsonnet libsonnet "
     "rego bicep sol vy move cairo dockerfile containerfile vim vimrc nvim snippets dts dtsi "
     "spec ebuild eclass pkgbuild sln csproj vbproj fsproj vcxproj vcproj props targets "
     "xcodeproj xcworkspace xcconfig pbxproj playground playgroundbook swiftpm workflow action "
     "caction pbproj xcode docset tmbundle code-workspace iml",
     "makefile gnumakefile bsdmakefile cmakelists.txt meson.build meson_options.txt sconstruct "
     "sconscript jamfile jamroot dockerfile dockerfile.* containerfile containerfile.* "
     "vagrantfile rakefile gemfile guardfile capfile podfile fastfile appfile brewfile dangerfile "
     "jenkinsfile justfile procfile thorfile "
     "buildfile cakefile gulpfile gruntfile build workspace tiltfile earthfile snakefile "
     "configure bootstrap gradlew mvnw kconfig kbuild rules pkgbuild apkbuild "
     ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv "
     ".zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .vimrc .gvimrc .exrc .emacs "
     ".irbrc .pryrc .pythonrc .rprofile .xinitrc .xsession .xprofile .gdbinit .lldbinit"},

    {Kind::data, "data", "config configuration setting settings preferences structured",
     "json json5 jsonc jsonl ndjson geojson topojson webmanifest har xml xsd dtd rng rnc wsdl rdf "
     "owl ttl n3 nt nq trig xmi yaml yml toml ini cfg conf config cnf properties prefs plist "
     "env dotenv editorconfig reg inf service socket timer mount automount "
     "target netdev csv tsv tab psv gpx kml kmz osm shp shx gml tcx fit nmea "
     "ics ical ifb vcs vcf vcard ldif lock sum sha1 sha256 sha512 md5 sha224 sha384 sfv crc "
     "pem crt cer der p7b p7c p7s p12 pfx csr crl gpg pgp sig minisig pub kdbx kbx keystore jks "
     "torrent magnet url webloc lnk inetloc rss atom opml map "
     "avro orc parquet arrow feather hdf hdf4 hdf5 h4 h5 nc cdf netcdf mat npy npz pkl pickle "
     "rds rda rdata sav dta por sas7bdat xpt arff libsvm fits fts nii nii.gz dcm dicom edf "
     "fasta fa fna faa fastq fq gff gff3 gtf bed bam sam cram pdb cif mol mol2 sdf "
     "onnx pt pth ckpt safetensors gguf ggml tflite h5ad pb pbtxt caffemodel mlmodel mlpackage "
     "pcap pcapng cap evtx etl dmp hprof prof pprof xliff xlf resx tmx arb "
     "abbu icbu itmsp xcarchive xcappdata xcsnapshots xcresult gputrace pkpass theme icc icm",
     ".gitignore .gitattributes .gitmodules .gitconfig .gitkeep .mailmap .dockerignore .npmignore "
     ".npmrc .nvmrc .yarnrc .babelrc .eslintrc .prettierrc .stylelintrc .editorconfig .env .env.* "
     ".inputrc .screenrc .tmux.conf .wgetrc .curlrc .netrc .htaccess .htpasswd .clang-format "
     ".clang-tidy .pylintrc .flake8 .coveragerc .hgignore .bzrignore .cvsignore .ignore "
     ".fdignore .rgignore .xresources .xdefaults .dircolors .ds_store .localized "
     "go.mod go.sum go.work cargo.lock gemfile.lock pipfile pipfile.lock poetry.lock yarn.lock "
     "cmakecache.txt fstab hosts passwd shadow group crontab known_hosts authorized_keys "
     "id_rsa id_dsa id_ecdsa id_ed25519 requirements.txt desktop.ini"},

    {Kind::document, "document", "documents doc docs pdf pdfs mail email message messages letter",
     "pdf doc docx docm dot dotx dotm odt ott fodt odm sxw stw rtf rtfd pages pages-tef "
     "wpd wps wp wp5 wp6 wri lwp abw zabw hwp hwpx gdoc gdraw xps oxps ps dvi mht mhtml webarchive "
     "chm hlp tm lyx kwd pmd indd indt idml qxd qxp mpp vsd vsdx vsdm vss one onetoc2 "
     "enex scriv scrivx fdx oo3 oo3template opx mmap xmind graffle drawio eml emlx msg mbox "
     "mbx pst ost dbx nws oft docarchive ulysses bear textbundle textpack notesarchive lpdf"},

    {Kind::spreadsheet, "spreadsheet", "spreadsheets sheet sheets table tables excel calc",
     "xls xlsx xlsm xlsb xlt xltx xltm xlw xla xlam ods ots fods sxc stc numbers numbers-tef "
     "nmbtemplate gsheet gnumeric wk1 wk3 wk4 wks wb1 wb2 qpw dif slk sylk et uos"},

    {Kind::presentation, "presentation", "presentations slide slides slideshow powerpoint keynote",
     "ppt pptx pptm pps ppsx ppsm potx potm ppa ppam sldx odp otp fodp sxi sti key "
     "key-tef kth gslides dps shw uop"},

    {Kind::ebook, "ebook", "ebooks e-book book books comic comics",
     "epub mobi azw azw1 azw3 azw4 kfx kf8 prc fb2 fbz fb2.zip lit lrf lrx djvu djv cbz "
     "cbr cb7 cbt cba ibooks iba ceb tcr pml snb umd oeb opf acsm"},

    {Kind::image, "image", "images picture pictures photo photos pic pics drawing graphics",
     "jpg jpeg jpe jfif jif jfi pjpeg pjp png apng gif bmp dib rle tif tiff tga icb vda "
     "webp heic heif heics heifs hif avif avifs jxl jp2 j2k jpf jpx jpm jpc jph jxr hdp wdp "
     "bpg flif qoi ico cur ani icns svg svgz svg.gz ai eps epsf eps2 eps3 emf wmf emz wmz cgm cdr "
     "cdt odg otg fodg sxd std fig wpg psd psb psdt xcf xcf.gz xcf.bz2 xcf.xz kra krz ora "
     "clip sai sai2 mdp procreate sketch xd afphoto afdesign afpub pxm pixelmator "
     "acorn pspimage psp pdn cpt mng jng pbm pgm ppm pnm pam pfm xbm xpm xwd ras sun sgi rgb rgba "
     "bw int pcx pcd pct pict pic dds ktx ktx2 pvr astc vtf exr hdr rgbe xyze cin dpx "
     "iff ilbm lbm art mac wbmp ief "
     "raw dng cr2 cr3 crw nef nrw arw srf sr2 orf raf rw2 rwl rwz pef ptx srw x3f 3fr fff erf "
     "mef mos mrw dcr k25 kdc iiq bay gpr ari "
     "photoslibrary photolibrary aplibrary migratedphotolibrary migratedaplibrary lrcat lrlibrary "
     "lrdata lrcat-data cocatalog xmp thm"},

    {Kind::audio, "audio", "sound sounds music song songs",
     "mp3 mp2 mp1 mpa mpga m2a m3a m4a m4b m4p m4r aac adts loas ac3 eac3 ec3 "
     "dtshd truehd mlp thd "
     "flac alac ape wv wvc tta tak shn ofr ofs mpc mp+ oga ogg opus spx wav wave w64 rf64 "
     "bwf aif aiff aifc au snd caf wma ra ram amr amr-nb awb 3ga qcp gsm vox "
     "voc dsf dff dsd sd2 aa aax mka weba mid midi kar rmi smf mod xm it s3m stm mtm med 669 far "
     "umx ult sid nsf spc gbs vgm vgz psf minipsf "
     "m3u m3u8 pls xspf cue zpl aup aup3 als alp alc adg flp cpr logic logicx band gbproj "
     "ptxproj ptf rpp nki nkm sf2 sf3 sfz sfark dls rx2 rex acd syx mscz mscx musicxml mxl sib "
     "musiclibrary itlp ite gp3 gp4 gp5 gp"},

    {Kind::video, "video", "videos movie movies film films clip clips",
     "mp4 m4v mp4v mpg4 mov qt mkv mk3d mks webm avi divx xvid wmv wm asf asx wvx mpg mpeg mpe "
     "m1v m2v mpv mp2v m2p m2t m2ts mts tod vob ifo bup evo vro "
     "flv f4v f4p fli flc swf ogv ogm ogx 3gp 3gpp 3g2 3gpp2 3gp2 rm rmvb rv "
     "dv mxf gxf r3d braw mjpg mjpeg mjp mj2 mjp2 nsv nuv bik bk2 smk roq "
     "yuv y4m ivf h261 h263 h264 avc h265 hevc 264 265 obu amv mtv viv vivo dvr-ms wtv "
     "rec trp tp m4s ism ismv insv lrv 360 "
     "movie imovieproject imovielibrary imoviemobile fcpbundle fcpxml fcpxmld fcarch avchd theater "
     "tvlibrary prproj veg kdenlive mlt drp aep camproj camrec trec"},

    {Kind::font, "font", "fonts typeface typefaces",
     "ttf otf ttc otc woff woff2 eot pfb pfa afm dfont suit pcf pcf.gz bdf fon fnt snf "
     "sfd glyphs glyphspackage ufo vfb vfc fot psfu otb t1 tfm vf mf"},

    {Kind::model, "model", "models 3d cad",
     "stl obj mtl fbx dae 3ds max blend blend1 c4d ma mb lwo lws lxo ply off gltf glb usd usda "
     "usdc usdz abc 3mf amf x3d x3dv wrl vrml iges igs step stp stpz p21 sat sab x_t x_b "
     "dwg dxf dwt dwf dwfx dgn sldprt sldasm slddrw prt catpart catproduct catdrawing ipt "
     "iam idw f3d f3z fcstd fcstd1 scad skp skb 3dm rvt rfa rte ifc ifczip nwd nwc nwf vwx pln "
     "zpr ztl mdd md2 md3 md5mesh bvh vrm scn scnz gcode brep reality "
     "las laz e57 brd kicad_pcb kicad_sch kicad_pro sch gbr gerber"},

    {Kind::archive, "archive", "archives compressed zip zips packed backup",
     "zip zipx z01 7z 7z.001 rar r00 r01 rev tar gz tgz tar.gz bz2 bz tbz tbz2 tb2 tar.bz2 xz txz "
     "tar.xz lzma tlz tar.lzma lz tar.lz lzo tzo tar.lzo lz4 tar.lz4 zst zstd tzst tar.zst br "
     "tar.br z taz tar.z sz ar cpio shar lha lzh lzs arj arc ark ace alz egg sit sitx sea hqx "
     "zoo pak pk3 pk4 pk7 cab xar lbr kgb paq paq8 zpaq wim swm esd "
     "dar dump par par2 rz lrz tar.lrz uu uue xxe yenc war ear sar whl gem crate "
     "nupkg xpi crx vsix oxt jmod phar apkm xapk apks aar phk s7z pea partimg rpa mcworld mcpack "
     "mcaddon osz osk cbundle aea yz1 zz"},

    {Kind::disk_image, "disk-image", "disk-images diskimage disk disks dmg iso disc cd-image",
     "iso dmg img ima image toast sparseimage sparsebundle dvdr udf nrg mdf mds "
     "ccd b5t b6t bwt isz uif daa cso gcz rvz wbfs nkit chd gdi cdi ecm "
     "rom nes unf fds sfc smc n64 z64 v64 gb gbc gba nds cia nsp xci gen sms gg "
     "vmdk vdi vhd vhdx avhd avhdx hdd hds qcow qcow2 qed vfd dsk d64 d71 d81 g64 adf "
     "adz dms stx msa ipf woz 2mg hfs hfv fdi td0 ova ovf vmwarevm pvm utm macvm vpc7 "
     "spbundle vbox vmx vmsd nvram squashfs sqfs sfs erofs cramfs romfs ext2 ext3 ext4 "
     "ubi ubifs jffs2 aff aff4 e01 ex01 l01 gho ghs tib tibx v2i img.gz img.xz img.zst img.bz2 "
     "img.zip iso.gz iso.xz iso.zst raw.gz raw.xz raw.zst wic wic.gz wic.xz wic.zst wic.bz2"},

    {Kind::app, "app", "apps application applications program programs installer installers",
     "app exe com msi msix msixbundle msp msu appx appxbundle appinstaller scr pif gadget cpl "
     "appimage desktop flatpak flatpakref flatpakrepo snap run elf prx nro nso xbe xex "
     "deb udeb rpm srpm pkg mpkg pkg.tar.gz pkg.tar.xz pkg.tar.zst pkg.tar.bz2 apk aab ipa ipsw "
     "jar jnlp jad xap air hap eopkg xbps pup pet slp "
     "prefpane wdgt saver slidesaver dictionary popclipext qsplugin shortcut alfredworkflow "
     "appdownload love swc",
     "a.out"},

    {Kind::binary, "binary", "binaries library libraries object objects plugin plugins",
     "so dll dylib tbd a lib la o lo ko ko.gz ko.xz ko.zst gch pch bc dsym "
     "ilk exp idb sym debug dbg class pyc pyo pyd elc beam hi cmi cmo cma cmx cmxa cmxs "
     "rlib rmeta node wasm gmo qm luac swiftmodule swiftdoc bundle framework xcframework "
     "kext dext systemextension plugin pluginkit appex component colorpicker definition "
     "mdimporter qlgenerator menu osax webplugin vst vst3 aaxplugin xpc ocx vbx ax drv sys vxd "
     "efi fw hex srec mot uf2 dfu bios bin idx pack dtb dtbo oat odex vdex dex "
     "metallib spv spirv cubin fatbin nlm bpl dcu bpi "
     "axf prg rel ctb typelib xcplugin dvtplugin ideplugin ibplugin octest xctest "
     "tmplugin mailbundle ilmbplugin car",
     "vmlinux vmlinuz initrd initrd.img initramfs core"},

    {Kind::database, "database", "databases db dbs sqlite",
     "db db3 sqlite sqlite2 sqlite3 s3db sl3 db-wal db-shm db-journal sqlite-wal sqlite-shm "
     "sqlite-journal mdb mde accdb accde accdt accdr laccdb dbf dbt ndx fpt cdx ldf ndf "
     "bacpac dacpac myd myi ibd ibdata odb fdb gdb fbk gbk ntf fp3 fp5 fp7 fmp12 "
     "fmp kdb realm couch leveldb ldb sst duckdb lmdb bdb tdb gdbm dbm pdx rocksdb rrd "
     "wdb adp dtbase2 4db 4dd gpkg mbtiles qvd hyper tde xcdatamodel xcdatamodeld xcmappingmodel"},
};

}  // namespace

std::span<const KindRow> kind_table() {
  return table;
}

namespace {

// On a Mac, Launch Services collects these from what is installed: the types that conform to
// com.apple.package, and documents that applications declare with LSTypeIsPackage. Here it is a
// table, since volumes of Macs are searched on other systems too: what macOS and Apple's programs
// declare, and those of others that are in wide use. Some that may be missed, and why:
//   framework, xcframework, lproj   bundles to programs, but the Finder shows them as folders
//   xcassets, scnassets             folders to the Finder, even with Xcode
//   localized                       a folder whose name the Finder translates
//   mbox                            a mailbox, but shown as a folder inside of Mail's
//   service                         Linux's control groups are directories of such names
//   patch, template, dist           declared by MainStage, an old Pages and the installer, but
//                                   quilt, generators and compilers call plain folders so
// And some that may surprise:
//   key, pages, numbers, epub       mostly files now; as directories they are one document still
//   dsym, docset, xcarchive, xctest what Xcode makes are documents of Xcode to the Finder
//   app                             .NET has folders called Microsoft.NETCore.App; the Finder, too,
//                                   takes them for applications
constexpr auto extensions = std::to_array<std::string_view>(
    {// macOS itself
     "action", "app", "appdownload", "appex", "bundle", "caction", "colorpicker", "component",
     "definition", "dext", "dictionary", "distz", "download", "kext", "lpdf", "mdimporter", "menu",
     "mpkg", "osax", "pkg", "plugin", "pluginkit", "prefpane", "qlgenerator", "rtfd", "saver",
     "scptd", "slidesaver", "sparsebundle", "systemextension", "vst", "vst3", "wdgt", "webplugin",
     "workflow", "xpc",
     // Apple's programs: libraries, projects and documents
     "abbu", "aplibrary", "avchd", "band", "epub", "fcarch", "fcpbundle", "fcpxmld", "gbproj",
     "hvpl", "ibooks", "icbu", "ilmbplugin", "imovielibrary", "imovieproject", "ite", "itlp",
     "itmsp", "key", "key-tef", "kth", "logic", "logicx", "mailbundle", "mailstationery",
     "migratedaplibrary", "migratedphotolibrary", "musiclibrary", "nmbtemplate", "numbers",
     "numbers-tef", "pages", "pages-tef", "photolibrary", "photoslibrary", "pkpass",
     "qtpxcomposition", "theater", "tvlibrary",
     // Xcode
     "docarchive", "docset", "dsym", "dvtplugin", "gputrace", "ibplugin", "ideplugin", "mlpackage",
     "nib", "octest", "pbproj", "playground", "playgroundbook", "storyboardc", "swiftpm",
     "xcappdata", "xcarchive", "xcdatamodel", "xcdatamodeld", "xcmappingmodel", "xcode",
     "xcodeproj", "xcplugin", "xcresult", "xcsnapshots", "xctest", "xcworkspace",
     // others
     "aaxplugin", "cocatalog", "dtbase2", "graffle", "lrcat-data", "lrdata", "lrlibrary", "macvm",
     "oo3", "oo3template", "popclipext", "pvm", "qsplugin", "scriv", "sketch", "spbundle",
     "tmbundle", "tmplugin", "utm", "vmwarevm", "vpc7"});

}  // namespace

std::span<const std::string_view> package_extensions() {
  return extensions;
}

}  // namespace ffind::query
