import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { canonicalJson } from '@millseal/proof'
import { sampleCertificate } from '../../test/certificates.ts'
import { sha256 } from '../../test/certificate-service.ts'
import { type Generators, installGenerators, lacksGenerators } from '../../test/generated-clients/install.ts'
import { fetchCalls, openApiFetchCalls } from '../../test/generated-clients/typescript-programs.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { password } from '../../test/people.ts'
import { newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'

const document = join(import.meta.dirname, '../../../contract/openapi.json')
const programs = join(import.meta.dirname, '../../test/generated-clients')

/** The package sources of this project have no dotnet, so C# compiles only where somebody installed it. */
const hasDotnet = spawnSync('dotnet', ['--version']).status === 0

let opened: AsyncDisposableStack
let server: TestServer
let mill: Owner
let generators: Generators
let root: string
before(async () => {
  await using stack = new AsyncDisposableStack()
  if (lacksGenerators === false) {
    root = stack.use(await makeTemporaryFolder()).path
    generators = await installGenerators()
    server = stack.use(await startTestServer())
    mill = await newOwner(server, 'generated-clients')
    await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
  }
  opened = stack.move()
})
after(() => opened.disposeAsync())

type Options = { readonly cwd?: string; readonly environment?: Readonly<Record<string, string>> }

/** Fails with everything that the program says. */
const run = async (program: string, given: readonly string[], { cwd, environment }: Options = {}) => {
  const options = { cwd, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(program, given, options).catch(
    (error: { stdout?: string; stderr?: string }) =>
      assert.fail(`${program} ${given.join(' ')}\n${error.stdout}\n${error.stderr}`.slice(0, 9_000)),
  )
  return stdout
}

const python = (given: readonly string[], options: Options & { readonly path?: string } = {}) =>
  run('python3', ['-W', 'error::SyntaxWarning', ...given], {
    ...options,
    environment: {
      ...options.environment,
      PYTHONPATH: [join(generators.python, 'lib'), options.path ?? ''].join(':'),
      PYTHONPYCACHEPREFIX: join(root, 'pycache'),
    },
  })

const shortRun = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const main = 'org.openapitools.codegen.OpenAPIGenerator'

const generate = async (name: string, more: readonly string[] = []): Promise<string> => {
  const folder = join(root, name)
  const wanted = ['generate', '-i', document, '-g', name, '-o', folder, ...more]
  await run('java', [...shortRun, '-cp', generators.java.generator, main, ...wanted])
  return folder
}

/** Runs a program that makes the five calls with a certificate of its own. */
const assertCalls = async (call: (environment: Readonly<Record<string, string>>) => Promise<string>) => {
  const certificate = sampleCertificate()
  const said = await call({
    API_URL: `${server.url}/api`,
    USERNAME: mill.admin.username,
    PASSWORD: password,
    COMPANY: mill.company.id,
    CERTIFICATE: JSON.stringify(certificate),
  })
  const hash = sha256(canonicalJson(certificate))
  assert.deepEqual(JSON.parse(said), [mill.admin.username, hash, hash])
}

const strict = ['--strict', '--skipLibCheck', 'false', '--target', 'es2024']
/** With names of its own for properties, it sends `refSchemaUrl` beside `RefSchemaUrl`. */
const names = ['--additional-properties', 'importFileExtension=.js,modelPropertyNaming=original']
const modules = ['--module', 'nodenext', '--types', 'node', '--outDir', 'out', '--rootDir', '.']
const compileTypeScript = async (folder: string, source: string): Promise<string> => {
  const types = join(import.meta.dirname, '../../../node_modules/@types')
  await mkdir(join(folder, 'node_modules'))
  await symlink(types, join(folder, 'node_modules/@types'))
  await symlink(
    join(generators.node, 'node_modules/openapi-fetch'),
    join(folder, 'node_modules/openapi-fetch'),
  )
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'calls.ts'), source)
  const compiler = join(generators.node, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, ...strict, ...modules, 'calls.ts'], { cwd: folder })
  return join(folder, 'out/calls.js')
}

describe('the OpenAPI document, judged by programs that are not ours,', { skip: lacksGenerators }, () => {
  test('is valid for openapi-spec-validator', async () => {
    await python(['-m', 'openapi_spec_validator', document])
  })

  test('is valid for Redocly', async () => {
    const redocly = join(generators.node, 'node_modules/@redocly/cli/bin/cli.js')
    const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    await run(process.execPath, [redocly, 'lint', '--extends=spec', document], { cwd: root, environment })
  })
})

describe('a generated client compiles strictly and makes five calls:', { skip: lacksGenerators }, () => {
  test('openapi-generator for Java', async () => {
    const folder = await generate('java', ['--library', 'native'])
    await cp(join(programs, 'Calls.java'), join(folder, 'src/main/java/Calls.java'))
    const paths = ['-cp', generators.java.libraries, '-sourcepath', join(folder, 'src/main/java')]
    const every = join(folder, 'sources')
    await writeFile(every, await run('find', [join(folder, 'src/main/java'), '-name', '*.java']))
    const out = join(folder, 'classes')
    await run('javac', ['-J-XX:TieredStopAtLevel=1', '-Werror', ...paths, '-d', out, `@${every}`])
    const classes = `${out}:${generators.java.libraries}`
    await assertCalls((environment) => run('java', [...shortRun, '-cp', classes, 'Calls'], { environment }))
  })

  test('openapi-generator for Python', async () => {
    const folder = await generate('python')
    await python(['-m', 'compileall', '-q', join(folder, 'openapi_client')])
    await assertCalls((environment) =>
      python([join(programs, 'openapi-generator-calls.py')], { path: folder, environment }),
    )
  })

  test('openapi-generator for TypeScript', async () => {
    const calls = await compileTypeScript(await generate('typescript-fetch', names), fetchCalls)
    await assertCalls((environment) => run(process.execPath, [calls], { environment }))
  })

  test('openapi-generator for C#, which has a method for every operation', async () => {
    const folder = await generate('csharp')
    const apis = join(folder, 'src/Org.OpenAPITools/Api')
    const sources = await Promise.all((await readdir(apis)).map((name) => readFile(join(apis, name), 'utf8')))
    const { paths } = JSON.parse(await readFile(document, 'utf8')) as {
      paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
    }
    const wanted = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    )
    assert.ok(wanted.length > 100)
    const code = sources.join('\n')
    const named = (id: string): string =>
      id.replaceAll(/(?:^|[^A-Za-z0-9]+)([a-z])/gi, (_all, letter: string) => letter.toUpperCase())
    assert.deepEqual(
      wanted.filter((id) => !code.includes(` ${named(id)}Async(`)),
      [],
    )
    if (hasDotnet) await run('dotnet', ['build', join(folder, 'src/Org.OpenAPITools'), '--nologo'])
  })

  test('openapi-python-client', async () => {
    const folder = join(root, 'python-client')
    const wanted = ['generate', '--path', document, '--output-path', folder, '--meta', 'setup']
    await python(['-m', 'openapi_python_client', ...wanted])
    await python(['-m', 'compileall', '-q', folder])
    await assertCalls((environment) =>
      python([join(programs, 'python-client-calls.py')], { path: folder, environment }),
    )
  })

  test('openapi-typescript', async () => {
    const folder = join(root, 'openapi-typescript')
    await mkdir(folder)
    const program = join(generators.node, 'node_modules/openapi-typescript/bin/cli.js')
    await run(process.execPath, [program, document, '--output', join(folder, 'types.d.ts')], { cwd: folder })
    const calls = await compileTypeScript(folder, openApiFetchCalls)
    await assertCalls((environment) => run(process.execPath, [calls], { environment }))
  })
})
