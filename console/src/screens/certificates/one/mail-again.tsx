import type { Certificate } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Notice } from '../../../ui/problem.tsx'
import { lifeQuery } from './queries.ts'

/** Sends the files once more. The life of the certificate shows the result of each mail. */
export const MailAgain = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates').mailAgain
  const { company, may } = useHere()
  const queries = useQueryClient()
  const { id, state, withdrawn, replacedBy } = certificate
  const send = useMutation({
    mutationFn: () => api.mailCertificateAgain({ company, params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: lifeQuery({ company, id }).queryKey }),
  })
  const isMailable = state === 'notarized' && withdrawn !== true && replacedBy === undefined
  if (!isMailable || !may('mailCertificateAgain')) return null
  const sent = send.data?.filter((mail) => mail.state === 'waiting').length
  return (
    <div className="row">
      <Confirm
        trigger={<Button>{t.action}</Button>}
        title={t.title}
        consequence={t.consequence}
        action={t.action}
        kind="primary"
        onConfirm={() => send.mutateAsync()}
      />
      {sent !== undefined && (
        <Notice kind={sent === 0 ? 'warn' : 'good'}>{sent === 0 ? t.nobody : t.sent(sent)}</Notice>
      )}
    </div>
  )
}
