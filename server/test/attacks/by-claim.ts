import { randomUUID } from 'node:crypto'
import type { Attack } from './target.ts'

/** Most of these are correctly signed: they ask what a key that signs other things too could be talked into. */
export const claimed: readonly Attack[] = [
  ['another audience', (t) => t.claiming({ aud: 'mqtt' })],
  ['a list of audiences with ours', (t) => t.claiming({ aud: ['other', 'millseal'] })],
  ['an empty list of audiences', (t) => t.claiming({ aud: [] })],
  ['no audience', (t) => t.lacking('aud')],
  ['another issuer', (t) => t.claiming({ iss: 'https://accounts.example.com' })],
  ['our issuer with a slash', (t) => t.claiming({ iss: `${t.server.url}/` })],
  ['a list of issuers with ours', (t) => t.claiming({ iss: [t.server.url] })],
  ['no issuer', (t) => t.lacking('iss')],
  ['expired', (t) => t.claiming({ iat: t.now() - 86_500, exp: t.now() - 100 })],
  ['expired long ago', (t) => t.claiming({ iat: 1, exp: 2 })],
  ['no exp', (t) => t.lacking('exp')],
  ['exp as text', (t) => t.claiming({ exp: String(t.now() + 600) })],
  ['exp null', (t) => t.claiming({ exp: null })],
  [
    'exp beyond all numbers',
    (t) => t.forge.signed(t.header, JSON.stringify(t.claims).replace(/"exp":\d+/, '"exp":1e999')),
  ],
  ['exp in milliseconds', (t) => t.claiming({ exp: (t.now() + 600) * 1_000 })],
  ['a lifetime of two days', (t) => t.claiming({ exp: Number(t.claims['iat']) + 2 * 86_400 })],
  [
    'a lifetime of eight years as a long-lived token',
    (t) => t.claiming({ kind: 'accesstoken', exp: t.now() + 8 * 365 * 86_400 }),
  ],
  ['issued in the far future', (t) => t.claiming({ iat: t.now() + 86_400, exp: t.now() + 2 * 86_400 })],
  ['no iat', (t) => t.lacking('iat')],
  ['iat as text', (t) => t.claiming({ iat: String(t.now()) })],
  ['not good before tomorrow', (t) => t.claiming({ nbf: t.now() + 86_400 })],
  ['nbf as text', (t) => t.claiming({ nbf: 'now' })],
  ['no jti', (t) => t.lacking('jti')],
  ['the jti of nobody', (t) => t.claiming({ jti: randomUUID() })],
  ['a jti that is SQL', (t) => t.claiming({ jti: "x' or '1'='1" })],
  ['a jti that is a list', (t) => t.claiming({ jti: [t.claims['jti']] })],
  ['no sub', (t) => t.lacking('sub')],
  ['a sub that is SQL', (t) => t.claiming({ sub: "x' or '1'='1" })],
  ['a sub that is an object', (t) => t.claiming({ sub: { id: t.claims['sub'] } })],
  ['the sub of another', (t) => t.claiming({ sub: randomUUID() })],
  ['no kind', (t) => t.lacking('kind')],
  ['a kind that is not there', (t) => t.claiming({ kind: 'admin' })],
  ['a kind from the prototype', (t) => t.claiming({ kind: 'constructor' })],
  ['an application that calls itself a user', (t) => t.claiming({ kind: 'user', sub: t.owner.admin.id })],
  [
    'a user with a session of nobody',
    (t) => t.claiming({ kind: 'user', sub: t.owner.admin.id, sid: randomUUID() }),
  ],
  [
    'a user with SQL for a session',
    (t) => t.claiming({ kind: 'user', sub: t.owner.admin.id, sid: "' or true --" }),
  ],
  ['an application that calls itself long-lived', (t) => t.claiming({ kind: 'accesstoken' })],
  ['a claim twice', (t) => t.forge.signed(t.header, `{"kind":"user",${JSON.stringify(t.claims).slice(1)}`)],
  ['claims in a list', (t) => t.forge.signed(t.header, [t.claims])],
  ['claims that are no JSON', (t) => t.forge.signed(t.header, 'sub=admin')],
  ['claims behind a byte order mark', (t) => t.forge.signed(t.header, `\uFEFF${JSON.stringify(t.claims)}`)],
  ['claims nested 500 deep', (t) => t.forge.signed(t.header, nested(t.claims, 500))],
  [
    'claims with __proto__',
    (t) =>
      t.forge.signed(t.header, `{"__proto__":{"kind":"user"},${JSON.stringify(t.without('kind')).slice(1)}`),
  ],
]

const nested = (claims: object, depth: number): string =>
  `{"a":${'['.repeat(depth)}${']'.repeat(depth)},${JSON.stringify(claims).slice(1)}`
