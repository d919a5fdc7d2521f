import type { Company } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'

/** Stored at once. */
export const FindingsRule = ({ company }: { readonly company: Company }) => {
  const t = useTexts('company').findings
  const { may } = useHere()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (isRefused: boolean) =>
      api.updateCompany({
        params: { id: company.id },
        body: { onFindings: isRefused ? 'refuse' : 'accept' },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <Card title={t.title}>
      <p className="muted">{t.text}</p>
      <Checkbox
        isSelected={company.onFindings === 'refuse'}
        isDisabled={change.isPending || !may('updateCompany')}
        onChange={change.mutate}
      >
        {t.refuse}
      </Checkbox>
      {change.error !== null && <Problem error={change.error} title={t.failed} />}
    </Card>
  )
}
