import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { familySchemas, findFamilyNames, namingFiles } from './family-names.ts'
import { plant } from './plant.ts'
import { type Expected, inspect } from './repository-rules.ts'
import { rules } from './boundaries.ts'
import { ceilings } from './ceilings.ts'

const root = join(import.meta.dirname, '../..')

/** One planted violation for each rule: its file, its source, and a part of the rule that must report it. */
const planted: readonly (readonly [path: string, source: string, rule: RegExp])[] = [
  ['contract/src/a.ts', `import { x } from '@millseal/server'`, /only the workspaces it may/],
  ['sdk/src/a.ts', `export { x } from '@millseal/proof'`, /only the workspaces it may/],
  ['proof/src/a.ts', `import { x } from '../../contract/src/index.ts'`, /by its package name/],
  ['proof/src/b.ts', `import { readFile } from 'node:fs/promises'`, /nothing of Node/],
  ['bench/src/a.ts', `import { x } from '../../lab/src/soak/main.ts'`, /nothing imports lab/],
  ['server/src/lib/a.ts', `import { x } from '@millseal/lab'`, /nothing imports lab/],
  ['pdf/src/a.ts', `import { x } from '@millseal/proof'`, /only the workspaces it may/],
  ['pdf/src/b.ts', `import { deflateSync } from 'node:zlib'`, /nothing of Node/],
  [
    'server/src/services/km/transactions/another-road.ts',
    `import { notarized } from '../../../ports/ledger/notarized.ts'`,
    /passes the gate of the ledgers/,
  ],
  ['server/src/services/auth/a.ts', `import { x } from '../user/users.store.ts'`, /by its entry point/],
  ['server/src/services/auth/b.ts', `import type { X } from '../user/inner.ts'`, /by its entry point/],
  [
    'server/src/services/user/a.ts',
    `import { x } from '../auth/index.ts'`,
    /services import each other only/,
  ],
  ['server/src/services/km/a.ts', `const x = await import('../pipe/index.ts')`, /none imports pipe/],
  [
    'server/src/services/km/keys/a.ts',
    `import { x } from '../wallets/create-wallet.ts'`,
    /a folder imports only folders that are listed before it/,
  ],
  [
    'server/src/services/km/wallets/a.ts',
    `import type { X } from '../unlisted/x.ts'`,
    /a folder imports only folders that are listed before it/,
  ],
  [
    'server/src/services/km/unlisted/a.ts',
    `export { x } from '../keys/wallets.store.ts'`,
    /a folder imports only folders that are listed before it/,
  ],
  ['server/src/serve.ts', `import { x } from './services/user/index.ts'`, /only compose.ts imports services/],
  [
    'server/src/services/user/b.ts',
    `import { x } from '../../adapters/database/postgres.ts'`,
    /only compose.ts imports adapters/,
  ],
  ['server/src/adapters/a/a.ts', `import { x } from '../../http/server.ts'`, /not services and not http/],
  ['server/src/ports/a/a.ts', `import { x } from '../../http/server.ts'`, /a port imports only/],
  ['server/src/lib/a.ts', `import { x } from '../ports/a/a.ts'`, /lib imports only lib/],
  ['server/src/http/a.ts', `import { x } from '../services/user/index.ts'`, /http imports no service/],
  ['server/src/services/user/c.ts', `import { sql } from 'kysely'`, /only a store uses SQL/],
  ['server/src/compose.ts', `import { x } from './services/user/users.store.ts'`, /inside its own service/],
  ['server/src/a.test.ts', `test('a', () => {})\nconst skip = await lacks()`, /waits after it has declared/],
  [
    'server/src/b.test.ts',
    `for (const one of both) describe(one, { skip: await lacks() }, run)`,
    /waits after/,
  ],
  ['server/src/lib/env.ts', 'export const x = process.env', /reads process\.env/],
  ['server/src/services/user/d.ts', 'export const x = Date.now()', /use the clock/],
  ['server/src/lib/late.ts', 'export const x = AbortSignal.timeout(1)', /reads first/],
  ['server/src/adapters/a/late.ts', 'socket.setTimeout(1, end)', /reads first/],
  ['server/src/lib/long.ts', 'export {}\n'.repeat(301), /at most 300/],
  ['verifiers/go/long.go', 'package main\n'.repeat(301), /at most 300/],
  ['verifiers/python/long.py', 'pass\n'.repeat(301), /at most 300/],
  ['verifiers/go/word.go', `// It ${['is', 'told'].join(' ')} so.`, /use a plain word/],
  ['verifiers/python/word.py', `"""It ${['is', 'told'].join(' ')} so."""`, /use a plain word/],
  ['server/src/lib/word.ts', `// ${['Who', 'ever'].join('')} calls`, /use a plain word/],
  ['console/src/half.tsx', '/** Whether it is open. */', /begins with “Whether”/],
  ['docs/word.md', `It ${['is', 'told'].join(' ')} so.`, /use a plain word/],
  ...[
    'drop table hooks',
    'alter table hooks\n  drop column url',
    'alter table hooks rename to webhooks',
    'alter table hooks rename column url to address',
    'alter table hooks alter column url type varchar(80)',
    'alter table hooks alter url set not null',
    'alter table hooks alter column active drop default',
    'alter table hooks add constraint short check (length(url) < 80)',
    'alter table hooks add column a int, add column share numeric(4, 2) not null',
    'create unique index hooks_url on hooks (url)',
    'alter table hooks add own text; create unique index hooks_url on hooks (url) where url is not null and own',
    'drop function company_query',
    '-- Unused since release 0.2.0\nselect 1;\ndrop type mode',
  ].map((sql) => [`server/src/migrations/0068-a.sql`, `${sql};\n`, /the release before may use/] as const),
  ['script/word', `# It ${['is', 'told'].join(' ')} so.`, /use a plain word/],
]

/** So that a single plant is too much. */
const none: typeof ceilings = {
  'nested ternary': 0,
  'type used once': 0,
  'forwarding function': 0,
  'conditional spread': 0,
  Pick: 0,
}

const inspectPlanted = async (
  files: Readonly<Record<string, string>>,
  expected: Partial<Expected> = {},
): Promise<string[]> => {
  using checkout = plant(files)
  return await inspect(checkout.root, { minSources: 1, words: true, ceilings: none, ...expected })
}

describe('the rules of the repository', () => {
  test('hold, and the check read every source', async () => {
    assert.deepEqual(await inspect(root, { minSources: 90, words: true, ceilings }), [])
  })

  test('report a cycle of imports, also of types', async () => {
    const one = "import type { Two } from './two.ts'\nexport type One = { two: Two }\n"
    const two = "import type { One } from './one.ts'\nexport type Two = { one?: One }\n"
    const found = await inspectPlanted({
      'server/src/lib/one.ts': one,
      'server/src/lib/two.ts': two,
      'server/src/lib/three.ts': "import type { One } from './one.ts'\nexport type Three = One\n",
    })
    assert.equal(found.filter((sentence) => sentence.includes('cycle')).length, 1, found.join('\n'))
  })

  test('report a family that is named outside its folder, in whatever way', async () => {
    const own = 'families/src/families/concrete/'
    const found = await inspectPlanted({
      [`${own}schema.json`]: '{}',
      [`${own}index.ts`]: `export const concrete = { name: 'concrete' }`,
      'families/src/families/index.ts': `import { concrete } from './concrete/index.ts'`,
      'server/src/lib/a.test.ts': `const family = 'concrete'`,
      'server/src/lib/allowed.ts': `// As concrete does.\nexport const f = (concrete: T) => ({ concrete, of: 'unconcrete concreted' })`,
      'server/src/lib/a.ts': `export const family = 'concrete'`,
      'console/src/texts/en/a.ts': `export const texts = { concrete: 'Beton' }`,
      'console/src/a.tsx': `export const A = () => <p>concrete</p>`,
      'contract/src/a.ts': 'export const url = `https://example.com/concrete-schemas/${version}`',
      'cli/src/a.ts': `export const url = 'https://example.com/Concrete/v1.0.0'`,
      'families/src/families/gravel/mapper.ts': `export const accent = colours['concrete']`,
    })
    assert.deepEqual(
      found
        .map((sentence) => sentence.replace(/ names the family concrete: only its folder does.*/i, ''))
        .toSorted(),
      [
        'cli/src/a.ts',
        'console/src/a.tsx',
        'console/src/texts/en/a.ts',
        'contract/src/a.ts',
        'families/src/families/gravel/mapper.ts',
        'server/src/lib/a.ts',
      ],
    )
  })

  test('excuse only files that name a family', async () => {
    const schemas = globSync(familySchemas, { cwd: root })
    for (const path of Object.keys(namingFiles))
      assert.notDeepEqual(findFamilyNames(path, readFileSync(join(root, path), 'utf8'), schemas), [], path)
  })

  for (const [path, source, rule] of planted) {
    test(`report ${path} with ${source.split('\n')[0]?.slice(0, 70)}`, async () => {
      const found = await inspectPlanted({ [path]: source })
      assert.ok(
        found.some((sentence) => sentence.startsWith(path) && rule.test(sentence)),
        found.join('\n') || 'nothing found',
      )
    })
  }

  test('report more than 3,000 lines of tooling, where tests do not count', async () => {
    const pages = Array.from({ length: 10 }, (_, page) => [
      `tooling/src/${page}.ts`,
      'export {}\n'.repeat(300),
    ])
    const tests = ['a.test.ts', 'a.suite.ts'].map((name) => [`tooling/src/${name}`, 'export {}\n'])
    const tested: Readonly<Record<string, string>> = Object.fromEntries([...pages, ...tests])
    assert.deepEqual(await inspectPlanted(tested), [])
    const found = await inspectPlanted({ ...tested, 'tooling/src/a.ts': 'export {}\n' })
    assert.match(found.join(), /tooling\/ has 3001 lines .* belongs in lab\//)
  })

  test('each have a planted violation', () => {
    for (const { says } of rules)
      assert.ok(
        planted.some(([, , rule]) => rule.test(says)),
        says,
      )
  })

  test('do not report what they allow', async () => {
    const files = {
      'server/src/compose.ts': `import { x } from './services/user/index.ts'\nimport { y } from './adapters/database/postgres.ts'`,
      'server/src/services/auth/index.ts': `import { x } from '../user/index.ts'\nimport { y } from '@millseal/contract'`,
      'server/src/services/user/users.store.ts': `import { sql } from 'kysely'`,
      'server/src/migrations/0067-before-the-rule.sql': 'drop table a;',
      'server/src/migrations/0068-a.sql': [
        `create table notes (id int); -- drop table a`,
        `alter table notes add constraint one primary key (id); create unique index two on notes (id);`,
        `alter table a add column b int, add column c numeric(10, 2) not null default 0;`,
        `alter table a add column own boolean not null default false; create unique index j on a (b) where c <> 1 and not own;`,
        `alter table a drop constraint d, alter column e drop not null; drop index f;`,
        `create function g() returns text language sql as $$ select 'drop table h; rename' $$;`,
        `-- Unused since release 0.2.0: nothing reads it.\nalter table a drop column i;`,
      ].join('\n'),
      'server/src/services/user/a.ts': `import { x } from './users.store.ts'\nimport { y } from '../../ports/clock/clock.ts'`,
      'server/src/services/user/members/a.ts': `import { x } from '../companies/a.ts'\nimport { y } from '../dependencies.ts'\nimport { z } from './b.ts'`,
      'server/src/services/user/companies/a.test.ts': `import { x } from '../members/a.ts'`,
      'server/src/services/user/a.test.ts': `const skip = await lacks()\ntest('a', async () => await run())`,
    }
    assert.deepEqual(await inspectPlanted(files, { minSources: 5 }), [])
  })

  for (const [kind, source] of [
    ['nested ternary', 'export const x = a ? 1 : b ? 2 : 3'],
    ['type used once', 'type One = { a: 1 }\nexport const f = (one: One) => one.a'],
    ['forwarding function', 'export const f = (a) => g(a)'],
    ['conditional spread', 'export const x = { ...(a ? { b } : {}) }'],
    ['Pick', "export type X = Pick<Y, 'a'>"],
  ] as const)
    test(`report a ${kind} too many, but not in a test, and a ceiling that is too high`, async () => {
      const files = { 'server/src/lib/a.ts': source }
      assert.deepEqual(await inspectPlanted(files), [
        `1 × ${kind}, at most 0: node tooling/src/ceremony.ts <folder> says where`,
      ])
      assert.deepEqual(await inspectPlanted(files, { ceilings: { ...none, [kind]: 1 } }), [])
      const high = await inspectPlanted(files, { ceilings: { ...none, [kind]: 7 } })
      assert.match(high.join(), /lower the/)
      assert.deepEqual(await inspectPlanted({ 'server/src/lib/a.test.ts': source }), [])
    })

  test('fail if they read nothing', async () => {
    assert.match((await inspectPlanted({})).join(), /reads nothing/)
  })
})
