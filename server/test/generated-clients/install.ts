import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPackage, mayInstall } from '../debian-package.ts'
import { keep, keptFolder } from '../kept-build.ts'

const run = promisify(execFile)

/** Foreign programs that read the OpenAPI document. No dependency of the product. */
export type Generators = {
  /** The folder with their programs in Python. */
  readonly python: string
  /** The folder with those of npm. */
  readonly node: string
  /** The class path of openapi-generator, and of the libraries that its client in Java needs. */
  readonly java: { readonly generator: string; readonly libraries: string }
}

/** Why generators cannot be asked here, or false. Only CI installs programs on its own. */
export const lacksGenerators: string | false = mayInstall
  ? false
  : 'generators of clients are installed on CI only: run the test with CI=true, as root'

const npmPackages = [
  '@redocly/cli@2.77.0',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  'typescript@5.9.3',
]

const dependency = (name: string): string => {
  const [group, artifact, version] = name.split(':')
  const own = `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`
  return `<dependency>${own}<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>`
}

const project = (dependencies: readonly string[]): string =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>test</groupId><artifactId>test</artifactId><version>1</version><dependencies>${dependencies
    .map(dependency)
    .join('')}</dependencies></project>`

const generator = ['org.openapitools:openapi-generator-cli:7.14.0']
const jackson = '2.17.1'
const libraries = [
  ...['core', 'databind', 'annotations'].map(
    (part) => `com.fasterxml.jackson.core:jackson-${part}:${jackson}`,
  ),
  `com.fasterxml.jackson.datatype:jackson-datatype-jsr310:${jackson}`,
  'org.openapitools:jackson-databind-nullable:0.2.6',
  'com.google.code.findbugs:jsr305:3.0.2',
  'jakarta.annotation:jakarta.annotation-api:1.3.5',
  'org.apache.httpcomponents:httpmime:4.5.14',
  'org.apache.httpcomponents:httpclient:4.5.14',
  'org.apache.httpcomponents:httpcore:4.4.16',
]

const getJars = async (folder: string, names: readonly string[]): Promise<void> => {
  await writeFile(join(folder, 'pom.xml'), project(names))
  const copy = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib']
  await run('mvn', copy, { cwd: folder })
}

/** What is downloaded stays outside the checkout, so that the next run has it. */
export const installGenerators = async (): Promise<Generators> => {
  const requirements = join(import.meta.dirname, 'requirements.txt')
  const digest = createHash('sha256')
    .update(`${await readFile(requirements, 'utf8')}${[...npmPackages, ...generator, ...libraries].join()}`)
    .digest('hex')
    .slice(0, 16)
  const kept = (part: string): string => keptFolder(`openapi-${part}`, digest)
  for (const [name, file] of [
    ['default-jdk-headless', '/usr/bin/javac'],
    ['maven', '/usr/bin/mvn'],
    ['python3-venv', '/usr/bin/python3'],
  ] as const)
    if (!existsSync(file)) installPackage({ name, file })
  // A virtual environment knows its place, so it is made there.
  const python = kept('python')
  await keep(python, async (unfinished) => {
    const pinned = ['--no-deps', '--only-binary=:all:', '--requirement', requirements]
    const quiet = ['install', '--quiet', '--disable-pip-version-check', '--target', join(unfinished, 'lib')]
    await run('python3', ['-m', 'venv', join(unfinished, 'pip')])
    await run(join(unfinished, 'pip/bin/pip'), [...quiet, ...pinned])
  })
  const node = kept('node')
  await keep(node, async (unfinished) => {
    await writeFile(join(unfinished, 'package.json'), '{"private":true,"type":"module"}')
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await run('npm', ['install', ...quiet, ...npmPackages], { cwd: unfinished })
  })
  const jars = [kept('generator'), kept('libraries')] as const
  await keep(jars[0], (unfinished) => getJars(unfinished, generator))
  await keep(jars[1], (unfinished) => getJars(unfinished, libraries))
  return { python, node, java: { generator: join(jars[0], 'lib/*'), libraries: join(jars[1], 'lib/*') } }
}
