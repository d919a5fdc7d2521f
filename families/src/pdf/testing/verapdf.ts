import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findTool } from '@millseal/pdf/testing'

const run = promisify(execFile)

/** Checks PDF files against standards. */
export type VeraPdf = AsyncDisposable & {
  /** What it says of each file that does not comply. */
  readonly complaints: (standard: '3a' | 'ua1', files: readonly string[]) => Promise<string[]>
}

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>test</groupId><artifactId>test</artifactId><version>1</version><dependencies><dependency>
<groupId>org.verapdf.apps</groupId><artifactId>greenfield-apps</artifactId><version>1.28.2</version>
</dependency></dependencies></project>`

/** Without the optimising compiler and its threads, a third less processor time. */
const forShortRuns = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** Gets veraPDF by Maven; undefined if Java or Maven is missing. */
export const openVeraPdf = async (): Promise<VeraPdf | undefined> => {
  if (!(await findTool('java')) || !(await findTool('mvn'))) return undefined
  const folder = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
  await writeFile(join(folder, 'pom.xml'), project)
  const copy = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib']
  await run('mvn', copy, { cwd: folder })
  const jars = (await readdir(join(folder, 'lib'))).map((jar) => join(folder, 'lib', jar)).join(':')
  return {
    complaints: async (standard, files) => {
      const command = [
        ...forShortRuns,
        '-cp',
        jars,
        'org.verapdf.apps.GreenfieldCliWrapper',
        '--flavour',
        standard,
      ]
      // It exits with 1 if a file does not comply, which its lines say.
      const { stdout } = await run('java', [...command, '--format', 'text', '-v', ...files], {
        maxBuffer: 64 * 1_024 * 1_024,
      }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
      const passed = stdout.match(/^PASS .*/gmu) ?? []
      const others = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('PASS '))
      return passed.length === files.length ? others : [`${passed.length} of ${files.length} pass`, ...others]
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
