import type { Application, Mode } from '@millseal/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import type { Shown } from './new-secret.tsx'
import { rightsOf, type Rights, scopesOf, startingRights } from './rights.ts'
import { RightsField } from './rights-field.tsx'

export type Changed = (next?: Shown) => Promise<void>
type Fields = { readonly name: string; readonly mode: Mode; readonly rights: Rights }

/** Creates an application and returns its secret, or changes one. */
const save = async (company: string, { name, mode, rights }: Fields, id: string | undefined) => {
  const scopes = scopesOf(rights)
  if (id !== undefined) {
    await api.updateApplication({ company, params: { id }, body: { name, scopes } })
    return undefined
  }
  const { clientId, clientSecret } = await api.createApplication({ company, body: { name, mode, scopes } })
  return { kind: 'application', clientId, secret: clientSecret } as const
}

export const ApplicationForm = ({
  application,
  onDone,
  close,
}: {
  readonly application?: Application
  readonly onDone: Changed
  readonly close: () => void
}) => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const here = useHere()
  const [fields, setFields] = useState<Fields>({
    name: application?.name ?? '',
    mode: application?.mode ?? here.mode,
    rights: application === undefined ? startingRights : rightsOf(application.scopes),
  })
  const change = (changed: Partial<Fields>) => setFields({ ...fields, ...changed })
  const saving = useMutation({
    mutationFn: () => save(here.company, fields, application?.id),
    async onSuccess(secret) {
      await onDone(secret)
      close()
    },
  })
  const modes = (here.isLiveReady ? (['test', 'live'] as const) : (['test'] as const)).map((id) => ({
    id,
    label: common[id],
  }))
  const isEmpty = Object.keys(scopesOf(fields.rights)).length === 0
  return (
    <Form
      onSubmit={() => saving.mutate()}
      action={common.save}
      onCancel={close}
      isPending={saving.isPending}
      isDisabled={isEmpty || fields.name.trim() === ''}
    >
      <TextField
        label={t.name}
        hint={t.nameHint}
        value={fields.name}
        onChange={(name) => change({ name })}
        isRequired
        autoFocus
        maxLength={120}
      />
      {application === undefined && (
        <Select label={t.mode} options={modes} value={fields.mode} onChange={(mode) => change({ mode })} />
      )}
      <RightsField value={fields.rights} onChange={(rights) => change({ rights })} />
      {isEmpty && <p className="problem">{t.chooseOne}</p>}
      {saving.isError && <Problem error={saving.error} title={t.failed.application} />}
    </Form>
  )
}
