import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import type { Shown } from './new-secret.tsx'
import { scopesOf, startingRights } from './rights.ts'
import { RightsField } from './rights-field.tsx'

const daySeconds = 86_400

export const TokenForm = ({
  onDone,
  close,
}: {
  readonly onDone: (next: Shown) => Promise<void>
  readonly close: () => void
}) => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const { company, mode } = useHere()
  const [description, setDescription] = useState('')
  const [days, setDays] = useState('365')
  const [rights, setRights] = useState(startingRights)
  const save = useMutation({
    mutationFn: () =>
      api.createAccessToken({
        company,
        query: { mode },
        body: { description, expiresIn: Number(days) * daySeconds, scopes: scopesOf(rights) },
      }),
    async onSuccess({ jwt }) {
      await onDone({ kind: 'token', secret: jwt })
      close()
    },
  })
  const isReady =
    description.trim() !== '' && /^[1-9]\d{0,3}$/.test(days) && Object.keys(scopesOf(rights)).length > 0
  return (
    <Form
      onSubmit={() => save.mutate()}
      action={common.save}
      onCancel={close}
      isPending={save.isPending}
      isDisabled={!isReady}
    >
      <TextField
        label={t.description}
        value={description}
        onChange={setDescription}
        isRequired
        autoFocus
        maxLength={50}
      />
      <TextField label={t.days} value={days} onChange={setDays} inputMode="numeric" isRequired />
      <RightsField value={rights} onChange={setRights} />
      {save.isError && <Problem error={save.error} title={t.failed.token} />}
    </Form>
  )
}
