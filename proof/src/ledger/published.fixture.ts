/** From the API documentation of BigchainDB 2.2: a CREATE and two TRANSFERs of its asset. */
const owner = (publicKey: string, uri: string) => ({
  amount: '1',
  condition: { details: { public_key: publicKey, type: 'ed25519-sha-256' }, uri },
  public_keys: [publicKey],
})
const first = '4K9sWUMFwTgaDGPfdynrbxWqWS6sWmKbZoTjxLtVUibD'
const second = '3yfQPHeWAa1MxTX9Zf9176QqcpcnWcanVZZbaHb8B3h9'
const createId = '4957744b3ac54434b8270f2c854cc1040228c82ea4e72d66d2887a4d3e30b317'
const transferId = '79ef6803210c941903d63d08b40fa17f0a5a04f11ac0ff04451553a187d97a30'

export const publishedTransactions = [
  {
    asset: { data: { msg: 'Hello BigchainDB!' } },
    id: createId,
    inputs: [
      {
        fulfillment:
          'pGSAIDE5i63cn4X8T8N1sZ2mGkJD5lNRnBM4PZgI_zvzbr-cgUCy4BR6gKaYT-tdyAGPPpknIqI4JYQQ-p2nCg3_9BfOI-15vzldhyz-j_LZVpqAlRmbTzKS-Q5gs7ZIFaZCA_UD',
        fulfills: null,
        owners_before: [first],
      },
    ],
    metadata: { sequence: 0 },
    operation: 'CREATE',
    outputs: [
      owner(
        first,
        'ni:///sha-256;PNYwdxaRaNw60N6LDFzOWO97b8tJeragczakL8PrAPc?fpt=ed25519-sha-256&cost=131072',
      ),
    ],
    version: '2.0',
  },
  {
    asset: { id: createId },
    id: transferId,
    inputs: [
      {
        fulfillment:
          'pGSAIDE5i63cn4X8T8N1sZ2mGkJD5lNRnBM4PZgI_zvzbr-cgUAYRI8kzKaZcrW-_avQrAIk5q-7o_7U6biBvoHk1ioBLqHSBcE_PAdNEaeWesAAW_HeCqNUWKaJ5Lzo5Nfz7QgN',
        fulfills: { output_index: 0, transaction_id: createId },
        owners_before: [first],
      },
    ],
    metadata: { sequence: 1 },
    operation: 'TRANSFER',
    outputs: [
      owner(
        second,
        'ni:///sha-256;lu6ov4AKkee6KWGnyjOVLBeyuP0bz4-O6_dPi15eYUc?fpt=ed25519-sha-256&cost=131072',
      ),
    ],
    version: '2.0',
  },
  {
    asset: { id: createId },
    id: '1fec726a3b426498147f1a1f19a92c187d551a7f66db4b88d666d7dcc10e86a4',
    inputs: [
      {
        fulfillment:
          'pGSAICw7Ul-c2lG6NFbHp3FbKRC7fivQcNGO7GS4wV3A-1QggUARCMty2JBK_OyPJntWEFxDG4-VbKMy853NtqwnPib5QUJIuwPQa1Y4aN2iIBuoqGE85Pmjcc1ScG9FCPSQHacK',
        fulfills: { output_index: 0, transaction_id: transferId },
        owners_before: [second],
      },
    ],
    metadata: { sequence: 2 },
    operation: 'TRANSFER',
    outputs: [
      owner(
        '3Af3fhhjU6d9WecEM9Uw5hfom9kNEwE7YuDWdqAUssqm',
        'ni:///sha-256;Ll1r0LzgHUvWB87yIrNFYo731MMUEypqvrbPATTbuD4?fpt=ed25519-sha-256&cost=131072',
      ),
    ],
    version: '2.0',
  },
]
