import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPublicAddress } from './public-address.ts'

describe('a public address', () => {
  test('is in one of the global unicast ranges, in every notation', () => {
    for (const address of ['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'])
      assert.equal(isPublicAddress(address), true, address)
  })

  test('is not in a private, local, shared, reserved or translated range, not a cloud host and not a name', () => {
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '168.63.129.16',
      '::ffff:168.63.129.16',
      '::ffff:127.0.0.1',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:db8::1',
      '4000::1',
      'ff02::1',
      'example.com',
      '',
    ])
      assert.equal(isPublicAddress(address), false, address)
  })
})
