import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftOf, newDraft, requirementOf } from './draft.ts'

const charpy = { of: 'KV', unit: 'J', at: '-20 °C', mean: { min: '27' }, each: { min: '19' } }
const requirement = {
  name: 'Plate of order 4711',
  basis: ['our order 4711, annex 2'],
  document: ['3.1', '3.2'],
  heats: ['H1'],
  rounding: 'halfUp',
  rules: [
    { of: 'C', max: '0.20', unit: '%' },
    { of: 'ReH', min: '350', unit: 'MPa', when: { thickness: { upTo: '16' } } },
    charpy,
  ],
}
const kept = { id: '', name: '', hash: '', inUse: true, createdAt: '' }

describe('the draft of a requirement', () => {
  test('loses nothing that it does not show', () => {
    assert.deepEqual(requirementOf(draftOf({ ...kept, requirement })), requirement)
  })

  test('has rules with more than a row says as JSON', () => {
    const draft = draftOf({ ...kept, requirement })
    assert.deepEqual(
      draft.rows.map(({ of }) => of),
      ['C', 'ReH'],
    )
    assert.deepEqual(JSON.parse(draft.further), [charpy])
  })

  test('sends no empty row, and names no member that is not given', () => {
    const [row] = newDraft.rows
    const carbon = { ...(row ?? assert.fail()), of: ' C ', max: '0.20', unit: '%' }
    const typed = { ...newDraft, name: ' Bar ', rows: [...newDraft.rows, carbon] }
    assert.deepEqual(requirementOf(typed), { name: 'Bar', rules: [{ of: 'C', max: '0.20', unit: '%' }] })
  })

  test('takes no further rules but a list', () => {
    for (const further of ['{}', 'C below 0.2'])
      assert.throws(() => requirementOf({ ...newDraft, further }), SyntaxError)
  })
})
