import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryOf, signed } from './sign.ts'

/** The examples of "Authenticating Requests: Using the Authorization Header" in the S3 documentation. */
const key = {
  id: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const at = new Date('2013-05-24T00:00:00Z')
const signatureOf = (path: string, headers: Readonly<Record<string, string>> = {}): string | undefined => {
  const url = new URL(path, 'https://examplebucket.s3.amazonaws.com')
  const all = signed({ method: 'GET', url, headers, body: Buffer.alloc(0) }, key, at)
  return all['authorization']?.split('Signature=')[1]
}

describe('a signature of version 4', () => {
  test('is that of the published examples', () => {
    assert.equal(
      signatureOf('/test.txt', { range: 'bytes=0-9' }),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
    assert.equal(
      signatureOf(`/?${queryOf({ prefix: 'J', 'max-keys': '2' })}`),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
  })

  test('covers queries in their escaped form', () => {
    assert.equal(queryOf({ b: "a/+='* ~", a: '' }), 'a=&b=a%2F%2B%3D%27%2A%20~')
  })
})
