import type { Certificate } from '@millseal/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { numberOf } from '../data/number.ts'
import { lifeQuery } from './queries.ts'
import { ReasonField } from './reason-field.tsx'

/** Another person releases or refuses a certificate that waits; its submitter can take it back. */
export const Release = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates').release
  const { company, may, session, membership } = useHere()
  const queries = useQueryClient()
  const { id } = certificate
  const { data: life } = useQuery(lifeQuery({ company, id }))
  if (certificate.state !== 'awaitingRelease' || life === undefined) return null
  const { by } = life.accepted
  const isMine = by?.kind === 'user' && by.id === session.me.id
  const mayRelease = may('releaseCertificate') && !isMine
  const isFromMachine = by?.kind !== 'user'
  const number = numberOf(certificate)
  return (
    <>
      {(isMine || may('releaseCertificate')) && <Refuse certificate={certificate} isMine={isMine} />}
      {mayRelease && !(isFromMachine && membership?.role === 'admin') && (
        <Confirm
          trigger={<Button kind="primary">{t.release}</Button>}
          title={t.releaseTitle(number)}
          consequence={t.releaseConsequence}
          action={t.release}
          kind="primary"
          onConfirm={async () => {
            await api.releaseCertificate({ company, params: { id } })
            await queries.invalidateQueries()
          }}
        />
      )}
    </>
  )
}

const Refuse = ({ certificate, isMine }: { readonly certificate: Certificate; readonly isMine: boolean }) => {
  const t = useTexts('certificates').release
  const { company } = useHere()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const number = numberOf(certificate)
  const action = isMine ? t.takeBack : t.refuse
  return (
    <Confirm
      trigger={<Button>{action}</Button>}
      title={isMine ? t.takeBackTitle(number) : t.refuseTitle(number)}
      consequence={isMine ? t.takeBackConsequence : t.refuseConsequence}
      action={action}
      isReady={reason.trim() !== ''}
      onConfirm={async () => {
        const body = { reason: reason.trim() }
        await api.refuseCertificate({ company, params: { id: certificate.id }, body })
        await queries.invalidateQueries()
      }}
    >
      <ReasonField value={reason} onChange={setReason} label={t.reason} hint={t.reasonHint} />
    </Confirm>
  )
}
