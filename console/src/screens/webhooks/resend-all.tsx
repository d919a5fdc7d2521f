import type { RetriedEvents } from '@millseal/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Notice } from '../../ui/problem.tsx'
import { hooksQuery, refetchInterval } from './queries.ts'

const monthMs = 30 * 86_400_000

/** Sends all failed deliveries again, also those that the list does not show. */
export const ResendAll = ({ hook }: { readonly hook: string }) => {
  const t = useTexts('webhooks')
  const { company, may } = useHere()
  const queries = useQueryClient()
  const { data: hooks } = useQuery({ ...hooksQuery(company), refetchInterval })
  const [resent, setResent] = useState<RetriedEvents>()
  const resendAll = async () => {
    const since = new Date(Date.now() - monthMs).toISOString()
    setResent(await api.retryHook({ company, params: { id: hook }, body: { since } }))
    await Promise.all(
      ['deliveries', 'hooks'].map((list) => queries.invalidateQueries({ queryKey: [list, company] })),
    )
  }
  const count = hooks?.find(({ id }) => id === hook)?.failedDeliveries ?? 0
  return (
    <>
      {may('retryHook') && count > 0 && (
        <div className="row">
          <Confirm
            trigger={<Button>{t.resendAll}</Button>}
            title={t.resendTitle}
            consequence={t.resendText}
            action={t.resendAll}
            onConfirm={resendAll}
          />
        </div>
      )}
      {resent !== undefined && <Notice kind="good">{t.resent(resent.count)}</Notice>}
      {resent?.refused !== undefined && <Notice kind="warn">{t.notResent(resent.refused)}</Notice>}
    </>
  )
}
