import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connectPacket, readMessage, readPackets, subscribePacket } from './mqtt.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))

describe('MQTT 3.1.1 in the browser', () => {
  test('connects and subscribes as the standard lays the packets out', () => {
    assert.equal(
      hex(connectPacket({ clientId: 'c', username: 'u', password: 'p' })),
      '101300044d51545404c2001e0001630001750001 70'.replaceAll(' ', ''),
    )
    assert.equal(hex(subscribePacket(['a/b'])), '82080001 0003612f6200'.replaceAll(' ', ''))
  })

  test('encodes lengths over 127 in two bytes', () => {
    const packet = subscribePacket(['x'.repeat(200)])
    assert.deepEqual([...packet.subarray(1, 3)], [0xcd, 0x01])
    assert.equal(readPackets(packet).packets[0]?.body.length, 205)
  })

  test('reads packets however the connection cuts them', () => {
    const stream = bytes('30 07 0003 612f62 68 69 d0 00 30 06 0003 612f62 21')
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const first = readPackets(stream.subarray(0, cut))
      const second = readPackets(Uint8Array.from([...first.rest, ...stream.subarray(cut)]))
      const all = [...first.packets, ...second.packets]
      assert.deepEqual(
        all.map(({ type }) => type),
        [3, 13, 3],
      )
      assert.deepEqual(readMessage(all[0]?.body ?? new Uint8Array()), { topic: 'a/b', payload: 'hi' })
      assert.deepEqual(readMessage(all[2]?.body ?? new Uint8Array()), { topic: 'a/b', payload: '!' })
    }
  })
})
