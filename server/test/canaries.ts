import assert from 'node:assert/strict'

const shortest = 8

/** The encodings in which a secret could still be read. */
const spellingsOf = (secret: string): string[] =>
  [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')].map((one) =>
    one.toLowerCase(),
  )

/** Asserts that no secret is in any of these texts, in any encoding. Both are named for the error message. */
export const assertNowhere = (
  secrets: Iterable<readonly [name: string, secret: string]>,
  places: Iterable<readonly [place: string, text: string]>,
): void => {
  const searched = [...secrets].map(([name, secret]) => {
    assert.ok(secret.length >= shortest, `the ${name} is too short to be looked for`)
    return { name, spellings: spellingsOf(secret) }
  })
  assert.ok(searched.length > 0, 'there are secrets to look for')
  for (const [place, text] of places) {
    const lower = text.toLowerCase()
    for (const { name, spellings } of searched) {
      assert.ok(!spellings.some((one) => lower.includes(one)), `the ${name} is in the ${place}`)
    }
  }
}
