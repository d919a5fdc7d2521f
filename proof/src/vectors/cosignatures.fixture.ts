import { encodeBase64, tryDecodeBase64 } from '../encoding/base64.ts'
import { utf8 } from '../encoding/bytes.ts'
import { cosign } from '../log/cosignature.ts'
import { signatureLine } from '../log/note.ts'
import { one, type Vector } from './cases.fixture.ts'
import { cosigners, lineAt, lineOf, pretender } from './cosigners.fixture.ts'
import { by, first, nobody, second, signed, third, written } from './signed.fixture.ts'

/** A line with one bit of its base64 changed, at this byte after the key id. */
const flipped = (line: string, place: number): string => {
  const [dash = '', name = '', encoded = ''] = line.split(' ')
  const bytes = tryDecodeBase64(encoded) ?? new Uint8Array()
  return `${dash} ${name} ${encodeBase64(bytes.with(place, (bytes[place] ?? 0) ^ 1))}`
}

/** Lines of a checkpoint, of which some count. */
export const cosignatures: readonly (() => Promise<Vector>)[] = [
  one(
    'a node that signed twice counts once',
    'unconfirmed',
    signed(
      [
        ['inspector', first],
        ['inspector', second],
      ],
      nobody,
    ),
  ),
  one(
    'of two signatures of one, the first counts',
    'genuine',
    signed(
      [
        ['inspector', third],
        ['association', second],
        ['inspector', first],
      ],
      by('nodes', second),
    ),
  ),
  one(
    'the same line twice counts once',
    'unconfirmed',
    written(async (text) => {
      const line = await lineOf(text, 'inspector', first)
      return [line, line]
    }, nobody),
  ),
  one(
    'a signature of another checkpoint',
    'unconfirmed',
    written(
      async (text) => [
        await lineOf(text, 'inspector', first),
        await lineOf(text.replace('millseal-status 1', 'millseal-status 2'), 'association', second),
      ],
      nobody,
    ),
  ),
  ...([12, 11, 75] as const).map((place) =>
    one(
      `a signature with an altered byte ${place}`,
      'unconfirmed',
      written(
        async (text) => [
          await lineOf(text, 'inspector', first),
          flipped(await lineOf(text, 'association', second), place),
        ],
        nobody,
      ),
    ),
  ),
  one(
    'a wrong signature takes nothing from a right one',
    'genuine',
    written(
      async (text) => [
        flipped(await lineOf(text, 'inspector', first), 20),
        await lineOf(text, 'inspector', first),
        await lineOf(text, 'association', second),
      ],
      by('nodes', second),
    ),
  ),
  one(
    'a stranger with the name of a node',
    'unconfirmed',
    written(
      async (text) => [
        await lineOf(text, 'association', first),
        await cosign(text, Date.parse(first) / 1_000, pretender),
      ],
      nobody,
    ),
  ),
  one(
    'a node that signed as a log does, without a time',
    'unconfirmed',
    written(async (text) => {
      const { key, sign } = cosigners.inspector
      return [
        await lineOf(text, 'association', first),
        signatureLine({ ...key, signature: sign(utf8(text)) as Uint8Array }),
      ]
    }, nobody),
  ),
  one(
    'a signature of a year that no clock has',
    'unconfirmed',
    written(
      async (text) => [
        await lineOf(text, 'inspector', first),
        lineAt(text, 'association', 253_402_300_800n),
        lineAt(text, 'university', 2n ** 64n - 1n),
      ],
      nobody,
    ),
  ),
  one(
    'a signature of the last second that counts',
    'genuine',
    written(
      async (text) => [
        await lineOf(text, 'inspector', first),
        lineAt(text, 'association', 253_402_300_799n - 1n),
      ],
      { confirmedBy: 'nodes', before: '9999-12-31T23:59:59.000Z' },
    ),
  ),
]
