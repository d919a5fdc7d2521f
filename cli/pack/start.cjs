#!/usr/bin/env node
// The command in the npm package. Old ones must be able to read it, to say that they are too old.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write('millseal: Millseal needs Node 24 or newer; this is ' + process.version + '\n')
  process.exitCode = 2
} else {
  // As with the options --disable-proto=delete and --max-semi-space-size=8, which a package cannot give to Node.
  delete Object.prototype.__proto__
  require('node:v8').setFlagsFromString('--max-semi-space-size=8')
  void import('./src/main.js')
}
