import type { Company, FourEyes } from '@millseal/contract'
import { fourEyesRules } from '@millseal/contract/vocabulary'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { Select } from '../../ui/select.tsx'

/** Stored at once. */
export const FourEyesRule = ({ company }: { readonly company: Company }) => {
  const t = useTexts('company').fourEyes
  const { may } = useHere()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (fourEyes: FourEyes) => api.updateCompany({ params: { id: company.id }, body: { fourEyes } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <Card title={t.title}>
      <p className="muted">{t.text}</p>
      {may('updateCompany') ? (
        <Select
          label={t.label}
          options={fourEyesRules.map((id) => ({ id, label: t.rules[id] }))}
          value={change.isPending ? change.variables : company.fourEyes}
          onChange={(rule) => change.mutate(rule)}
          hint={t.hint}
        />
      ) : (
        <p>{t.rules[company.fourEyes]}</p>
      )}
      {change.error !== null && <Problem error={change.error} title={t.failed} />}
    </Card>
  )
}
