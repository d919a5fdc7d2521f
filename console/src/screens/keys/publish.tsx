import type { Identity } from '@millseal/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/field.tsx'
import { Fold } from '../../ui/screen.tsx'
import { refreshKeys } from './keys-queries.ts'

export const Publish = ({ identity }: { readonly identity: Identity }) => {
  const t = useTexts('keys').identity
  const { company, membership, mode } = useHere()
  const queries = useQueryClient()
  const [recoveryDid, setRecoveryDid] = useState('')
  const publish = async () => {
    const body = recoveryDid.trim() === '' ? {} : { recoveryDid: recoveryDid.trim() }
    await api.notarizeIdentity({ company, query: { mode }, params: { identityId: identity.id }, body })
    await refreshKeys(queries)
  }
  return (
    <Confirm
      trigger={<Button kind="primary">{t.publish}</Button>}
      title={t.publishTitle}
      consequence={t.publishConsequence(membership?.company.name ?? '')}
      action={t.publish}
      onConfirm={publish}
    >
      <Fold title={t.recoveryTitle}>
        <p className="muted">{t.recoveryText}</p>
        <TextField label={t.recoveryDid} value={recoveryDid} onChange={setRecoveryDid} autoComplete="off" />
      </Fold>
    </Confirm>
  )
}
