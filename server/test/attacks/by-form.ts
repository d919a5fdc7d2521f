import { CompactEncrypt } from 'jose'
import type { Attack, Target } from './target.ts'

export const forms: readonly Attack[] = [
  ['claims changed after signing', (t) => t.tampered({ sub: t.owner.admin.id, kind: 'user' })],
  ['a lifetime extended after signing', (t) => t.tampered({ exp: t.now() + 10 * 86_400 })],
  ['a bit of the signature flipped', (t) => t.flipped()],
  ['the signature cut short', (t) => t.valid.slice(0, -4)],
  ['the signature in another spelling', (t) => t.respelled()],
  ['the signature padded', (t) => `${t.valid}==`],
  [
    'every part padded',
    (t) => t.parts.map((part) => part.padEnd(Math.ceil(part.length / 4) * 4, '=')).join('.') + '=',
  ],
  [
    'base64 instead of base64url',
    (t) => `${t.parts[0]}.${t.parts[1]}.${t.parts[2].replaceAll('-', '+').replaceAll('_', '/')}+`,
  ],
  ['no signature', (t) => `${t.parts[0]}.${t.parts[1]}`],
  ['no claims', (t) => `${t.parts[0]}..${t.parts[2]}`],
  ['a fourth part', (t) => `${t.valid}.${t.parts[2]}`],
  ['two dots', () => '..'],
  ['the word null', () => 'null'],
  ['two tokens', (t) => `${t.valid},${t.valid}`],
  ['a token with a blank', (t) => `${t.parts[0]}. ${t.parts[1]}.${t.parts[2]}`],
  [
    'the flattened JSON form',
    (t) => JSON.stringify({ protected: t.parts[0], payload: t.parts[1], signature: t.parts[2] }),
  ],
  [
    'the general JSON form',
    (t) =>
      JSON.stringify({
        payload: t.parts[1],
        signatures: [{ protected: t.parts[0], signature: t.parts[2] }],
      }),
  ],
  ['an encrypted token', (t) => jwe(t, Buffer.alloc(32), { alg: 'dir', enc: 'A256GCM' })],
  [
    'an encrypted token of a million hashes',
    (t) => jwe(t, Buffer.from('password'), { alg: 'PBES2-HS256+A128KW', enc: 'A128GCM', p2c: 1_000_000 }),
  ],
  ['a correctly signed flood', (t) => t.claiming({ padding: 'x'.repeat(6_000) })],
  ['14 kB of dots', () => '.'.repeat(14_000)],
]

export const others: readonly Attack[] = [
  ['a refresh token', (t) => t.known.refreshToken],
  ['a client secret', (t) => t.known.clientSecret],
  ['the token of a mailed link', (t) => t.known.linkToken],
  ['the token of a secret that was rotated', (t) => t.known.rotated],
]

const jwe = (
  { valid, forge }: Target,
  key: Uint8Array,
  protectedHeader: { alg: string; enc: string; p2c?: number },
): Promise<string> => {
  const { p2c, ...rest } = protectedHeader
  const encrypt = new CompactEncrypt(Buffer.from(valid)).setProtectedHeader({ ...rest, kid: forge.kid })
  return (p2c === undefined ? encrypt : encrypt.setKeyManagementParameters({ p2c })).encrypt(key)
}
