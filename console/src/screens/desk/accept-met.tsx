import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { refreshDesk } from './queries.ts'

/** The maximum that the server decides at once. */
const atOnce = 200

/** Accepts all that meet everything, also those on pages that are not shown. */
export const AcceptMet = ({ count }: { readonly count: number }) => {
  const t = useTexts('desk')
  const { company, mode, may } = useHere()
  if (count === 0 || !may('decideInbox')) return null
  const accept = async (): Promise<void> => {
    const query = { mode, advice: 'meetsEverything', limit: atOnce } as const
    let left = count
    while (left > 0) {
      const found = await api.listInbox({ company, query })
      if (found.length === 0) break
      await api.decideInbox({ company, body: { ids: found.map(({ id }) => id), decision: 'accepted' } })
      left -= found.length
    }
    await refreshDesk(company)
  }
  return (
    <Confirm
      trigger={<Button kind="primary">{t.acceptMet(count)}</Button>}
      title={t.acceptMet(count)}
      consequence={t.acceptMetText(count)}
      action={t.accept}
      kind="primary"
      onConfirm={accept}
    />
  )
}
