import type { Certificate } from '@millseal/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { numberOf } from '../data/number.ts'
import { ReasonField } from './reason-field.tsx'

export const Withdraw = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const { company } = useHere()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const number = numberOf(certificate)
  const withdraw = async () => {
    await api.withdrawCertificate({
      company,
      params: { id: certificate.id },
      body: { reason: reason.trim() },
    })
    await queries.invalidateQueries()
  }
  return (
    <Confirm
      trigger={<Button kind="danger">{t.withdraw}</Button>}
      title={t.withdrawTitle(number)}
      consequence={t.withdrawConsequence}
      action={t.withdraw}
      typed={number}
      isReady={reason.trim() !== ''}
      onConfirm={withdraw}
    >
      <ReasonField value={reason} onChange={setReason} />
    </Confirm>
  )
}
