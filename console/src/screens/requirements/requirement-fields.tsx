import { useTexts } from '../../texts/catalog.ts'
import { TextField } from '../../ui/field.tsx'
import { Fold } from '../../ui/screen.tsx'
import { Select } from '../../ui/select.tsx'
import type { Draft } from './draft.ts'

const anyDocument = 'any'
const documents = ['3.1', '3.1,3.2', '3.2', '2.2,3.1,3.2']

type Props = {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
  readonly isReadOnly: boolean
}

/** Everything but the limits. */
export const RequirementFields = ({ draft, onChange, isReadOnly }: Props) => {
  const t = useTexts('requirements')
  const { name, order, document } = draft
  const choices = new Set([...documents, ...(document === '' ? [] : [document])])
  return (
    <>
      <TextField
        label={t.name}
        hint={t.nameHint}
        value={name}
        onChange={(value) => onChange({ name: value })}
        isReadOnly={isReadOnly}
        maxLength={200}
        isRequired
      />
      <div className="pair">
        <Select
          label={t.document}
          options={[
            { id: anyDocument, label: t.anyDocument },
            ...[...choices].map((id) => ({ id, label: id.split(',').join(', ') })),
          ]}
          value={document === '' ? anyDocument : document}
          onChange={(value) => onChange({ document: value === anyDocument ? '' : value })}
          isDisabled={isReadOnly}
        />
        <TextField
          label={t.order}
          hint={t.orderHint}
          value={order}
          onChange={(value) => onChange({ order: value })}
          isReadOnly={isReadOnly}
          maxLength={200}
        />
      </div>
      <More draft={draft} onChange={onChange} isReadOnly={isReadOnly} />
    </>
  )
}

/** Fields that most requirements do not need. */
const More = ({ draft, onChange, isReadOnly }: Props) => {
  const t = useTexts('requirements')
  const text = (field: 'basis' | 'includes' | 'further', rows: number) => (
    <TextField
      label={t[field]}
      hint={t.hints[field]}
      rows={rows}
      value={draft[field]}
      onChange={(value) => onChange({ [field]: value })}
      isReadOnly={isReadOnly}
    />
  )
  return (
    <Fold title={t.more}>
      <div className="stack">
        {text('basis', 2)}
        {text('includes', 2)}
        {text('further', 6)}
      </div>
    </Fold>
  )
}
