import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeTemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { type Consortium, foundConsortium, walk } from './walk.ts'

describe('three organisations that hold the logs of each other', () => {
  const opened = new AsyncDisposableStack()
  let consortium: Consortium
  before(async () => {
    const folder = opened.use(await makeTemporaryFolder())
    consortium = opened.use(await foundConsortium(folder.path, () => {}))
  })
  after(() => opened.disposeAsync())

  test('confirm and prove what one of them recorded, while it is gone and after it is back', async () => {
    const said: string[] = []
    await walk(consortium, (line) => said.push(line))
    const [mill, inspector, association] = ['mill', 'inspector', 'association'].map(
      (name) => `${name}.example/node`,
    )
    const genuine = 'unchanged yes, issuer yes, time yes, status yes'
    assert.deepEqual(said, [
      `4. the log of the mill has 6 entries, on three machines, confirmed by ${association} and ${inspector}`,
      `4. the log of the inspector has 6 entries, on three machines, confirmed by ${association} and ${mill}`,
      `4. the log of the association has 6 entries, on three machines, confirmed by ${inspector} and ${mill}`,
      '5. the mill is gone: killed',
      `6. its certificate verifies with the copy of the inspector: ${genuine}`,
      `6. its certificate verifies with the copy of the association: ${genuine}`,
      `7. the inspector goes on: 12 entries, confirmed by ${association}`,
      '8. the mill is back: it goes on with 12 entries, and holds all 12 of the inspector',
    ])
  })
})
