import { generateKeyPairSync } from 'node:crypto'
import { encoded, signedBy } from '../forge.ts'
import type { Attack } from './target.ts'

/** An attacker who chooses the algorithm chooses what proves a token. */
export const algorithms: readonly Attack[] = [
  ['alg none without a signature', (t) => `${encoded({ ...t.header, alg: 'none' })}.${t.parts[1]}.`],
  ['alg NONE without a signature', (t) => `${encoded({ ...t.header, alg: 'NONE' })}.${t.parts[1]}.`],
  [
    'alg nOnE with the old signature',
    (t) => `${encoded({ ...t.header, alg: 'nOnE' })}.${t.parts[1]}.${t.parts[2]}`,
  ],
  ['alg none, signed by us', (t) => t.headed({ alg: 'none' })],
  ['alg missing, signed by us', (t) => t.forge.signed({ typ: t.header['typ'], kid: t.forge.kid }, t.claims)],
  ['alg null, signed by us', (t) => t.headed({ alg: null })],
  ['alg a list, signed by us', (t) => t.headed({ alg: ['EdDSA'] })],
  ['alg in lower case, signed by us', (t) => t.headed({ alg: 'eddsa' })],
  ['alg Ed25519, signed by us', (t) => t.headed({ alg: 'Ed25519' })],
  [
    'HS256 with the public key as PEM',
    (t) => t.hmac('256', t.forge.publicKey.export({ type: 'spki', format: 'pem' })),
  ],
  [
    'HS256 with the public key as DER',
    (t) => t.hmac('256', t.forge.publicKey.export({ type: 'spki', format: 'der' })),
  ],
  ['HS256 with the x of the JWK', (t) => t.hmac('256', t.forge.publicKey.export({ format: 'jwk' }).x ?? '')],
  [
    'HS512 with the raw public key',
    (t) => t.hmac('512', Buffer.from(t.forge.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')),
  ],
  ['HS256 with the kid as its secret', (t) => t.hmac('256', t.forge.kid)],
  ['HS256 with an empty secret', (t) => t.hmac('256', '')],
  [
    'RS256 under our kid',
    (t) => t.byOtherAlgorithm('RS256', generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey),
  ],
  [
    'ES256 under our kid',
    (t) => t.byOtherAlgorithm('ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  ],
  ['EdDSA by an Ed448 key', (t) => t.byOtherAlgorithm('EdDSA', generateKeyPairSync('ed448').privateKey)],
  [
    'ES256 with a signature of zeros (CVE-2022-21449)',
    (t) => `${encoded({ ...t.header, alg: 'ES256' })}.${t.parts[1]}.${'A'.repeat(86)}`,
  ],
  ['EdDSA with a signature of zeros', (t) => `${t.parts[0]}.${t.parts[1]}.${'A'.repeat(86)}`],
]

/** So does one who chooses the key. */
export const keys: readonly Attack[] = [
  ['another key under our kid', (t) => t.byMallory()],
  ['another key under its own kid', (t) => t.byMallory({ kid: 'mallory' })],
  ['another key embedded as jwk', (t) => t.byMallory({ jwk: t.malloryJwk })],
  [
    'another key embedded as jwk, without a kid',
    (t) => signedBy(t.mallory, { alg: 'EdDSA', typ: 'at+jwt', jwk: t.malloryJwk }, t.claims),
  ],
  ['a jku to another key set', (t) => t.byMallory({ jku: t.baitUrl })],
  ['a jku, signed by us', (t) => t.headed({ jku: t.baitUrl })],
  ['an x5u to another certificate', (t) => t.byMallory({ x5u: t.baitUrl })],
  ['an x5c with another certificate', (t) => t.byMallory({ x5c: ['MIIB'] })],
  ['a jwk of ours, signed by us', (t) => t.headed({ jwk: t.forge.publicKey.export({ format: 'jwk' }) })],
  ['no kid, signed by us', (t) => t.forge.signed({ alg: 'EdDSA', typ: 'at+jwt' }, t.claims)],
  ['an empty kid', (t) => t.headed({ kid: '' })],
  ['a kid that is a path', (t) => t.hmac('256', '', { kid: '../../../../../../dev/null' })],
  ['a kid that is SQL', (t) => t.byMallory({ kid: `x' union select '${JSON.stringify(t.malloryJwk)}' --` })],
  ['a kid that is a command', (t) => t.byMallory({ kid: '| sleep 30' })],
  ['a kid that is a URL', (t) => t.byMallory({ kid: t.baitUrl })],
  ['a kid that is a list with ours', (t) => t.headed({ kid: [t.forge.kid] })],
  ['a kid that is an object', (t) => t.headed({ kid: { id: t.forge.kid } })],
  ['a kid that is __proto__', (t) => t.byMallory({ kid: '__proto__' })],
  ['a kid in another letter case', (t) => t.headed({ kid: t.forge.kid.toUpperCase() })],
  ['a kid with a zero byte', (t) => t.headed({ kid: `${t.forge.kid}\u0000` })],
  ['the signature of another installation', (t) => t.byMallory({ kid: 'o'.repeat(43) })],
]

export const headers: readonly Attack[] = [
  ['typ JWT, as of an ID token', (t) => t.headed({ typ: 'JWT' })],
  ['typ of a logout token', (t) => t.headed({ typ: 'logout+jwt' })],
  ['no typ', (t) => t.forge.signed({ alg: 'EdDSA', kid: t.forge.kid }, t.claims)],
  ['crit with what nobody knows', (t) => t.headed({ crit: ['exp2'], exp2: 1 })],
  ['an unencoded payload', (t) => t.headed({ b64: false, crit: ['b64'] })],
  ['a compressed payload', (t) => t.headed({ zip: 'DEF' })],
  ['a nested token', (t) => t.headed({ cty: 'JWT' })],
  [
    'a header with a name twice',
    (t) => t.forge.signed(`{"alg":"EdDSA","alg":"EdDSA","typ":"at+jwt","kid":"${t.forge.kid}"}`, t.claims),
  ],
  ['a header that is a list', (t) => t.forge.signed([t.header], t.claims)],
  ['a header that is no JSON', (t) => t.forge.signed('{"alg":"EdDSA"', t.claims)],
]
