import type { CertificateFamily } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, ApiError } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { languages } from '../../texts/languages.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { areCodes, type Draft, isAccent, optionalParts, toDraft, toSettings } from './look-draft.ts'
import { Order } from './look-order.tsx'
import { looksQuery } from './looks-query.ts'

type PartProps = { readonly draft: Draft; readonly onChange: (draft: Draft) => void }

export const LookForm = ({
  company,
  receiver,
  isStored,
  draft,
  onChange,
  family,
}: PartProps & {
  readonly company: string
  readonly receiver: string | undefined
  readonly isStored: boolean
  readonly family: CertificateFamily
}) => {
  const t = useTexts('company').looks
  const queries = useQueryClient()
  const settings = toSettings(draft)
  const at = { params: { id: company }, query: { receiver } }
  const refresh = () => queries.invalidateQueries({ queryKey: looksQuery(company).queryKey })
  const save = useMutation({
    mutationFn: () => api.updateLook({ ...at, body: settings ?? {} }),
    onSuccess: refresh,
  })
  const remove = async () => {
    await api.deleteLook(at)
    onChange(toDraft({}))
    await refresh()
  }
  return (
    <Form
      action={t.save}
      isPending={save.isPending}
      isDisabled={settings === undefined}
      onSubmit={() => save.mutate()}
      beside={
        <>
          {save.isSuccess && <span role="status">{t.saved}</span>}
          {isStored && <Deletion onConfirm={remove} />}
        </>
      }
    >
      <Card>
        <Accent draft={draft} onChange={onChange} error={save.error} />
        <Footers draft={draft} onChange={onChange} />
      </Card>
      <Card title={t.sections}>
        <Order draft={draft} onChange={onChange} family={family} />
      </Card>
      <Card title={t.hidden}>
        <Hidden draft={draft} onChange={onChange} />
      </Card>
      {save.error !== null && shadeIn(save.error) === undefined && (
        <Problem error={save.error} title={t.failed} />
      )}
    </Form>
  )
}

const Deletion = ({ onConfirm }: { readonly onConfirm: () => Promise<unknown> }) => {
  const t = useTexts('company').looks
  return (
    <Confirm
      trigger={
        <Button kind="danger" className="end">
          {t.delete}
        </Button>
      }
      title={t.delete}
      consequence={t.deleteConsequence}
      action={t.delete}
      onConfirm={onConfirm}
    />
  )
}

const Footers = ({ draft, onChange }: PartProps) => {
  const t = useTexts('company').looks
  return (
    <>
      {Object.entries(languages).map(([language, name]) => (
        <TextField
          key={language}
          label={t.footer(name)}
          value={draft.footer[language] ?? ''}
          onChange={(text) => onChange({ ...draft, footer: { ...draft.footer, [language]: text } })}
          maxLength={200}
          hint={t.footerHint}
        />
      ))}
      <Select
        label={t.useLogo}
        options={(['missing', 'always'] as const).map((id) => ({ id, label: t.useLogos[id] }))}
        value={draft.useLogo}
        onChange={(useLogo) => onChange({ ...draft, useLogo })}
      />
    </>
  )
}

/** The server names the nearest colour that can be read. */
const shadeIn = (error: unknown): string | undefined => {
  const details = error instanceof ApiError ? (error.answer?.details ?? []) : []
  return details.map((detail) => /\/accent .*(#[0-9a-f]{6})/i.exec(detail)?.[1]).find((shade) => shade)
}

const Accent = ({ draft, onChange, error }: PartProps & { readonly error: unknown }) => {
  const t = useTexts('company').looks
  const shade = shadeIn(error)
  const isTooLight = shade !== undefined && draft.accent !== shade
  const wrongAccent = isAccent(draft.accent) ? undefined : t.accentWrong
  const set = (accent: string) => onChange({ ...draft, accent })
  return (
    <>
      <div className="colour">
        <input
          type="color"
          aria-label={t.pick}
          value={isAccent(draft.accent) && draft.accent !== '' ? draft.accent : '#17365d'}
          onChange={({ target }) => set(target.value)}
        />
        <TextField
          label={t.accent}
          value={draft.accent}
          onChange={set}
          hint={t.accentHint}
          maxLength={7}
          problem={isTooLight ? t.tooLight : wrongAccent}
        />
      </div>
      {isTooLight && (
        <div className="row">
          <Button onPress={() => set(shade)}>{t.use(shade)}</Button>
        </div>
      )}
    </>
  )
}

const Hidden = ({ draft, onChange }: PartProps) => {
  const t = useTexts('company').looks
  return (
    <>
      <p className="muted">{t.hiddenHint}</p>
      <div className="pair">
        {optionalParts.map((part) => (
          <Checkbox
            key={part}
            isSelected={draft.hidden.includes(part)}
            onChange={(isHidden) =>
              onChange({
                ...draft,
                hidden: isHidden ? [...draft.hidden, part] : draft.hidden.filter((each) => each !== part),
              })
            }
          >
            {t.parts[part]}
          </Checkbox>
        ))}
      </div>
      <TextField
        label={t.codes}
        value={draft.codes}
        onChange={(codes) => onChange({ ...draft, codes: codes.toUpperCase() })}
        hint={t.codesHint}
        problem={areCodes(draft.codes) ? undefined : t.codesWrong}
      />
    </>
  )
}
