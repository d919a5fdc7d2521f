import type { Certificate } from '@millseal/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Problem } from '../../../ui/problem.tsx'
import { Card } from '../../../ui/screen.tsx'
import { Select } from '../../../ui/select.tsx'
import { CheckResult, VerdictState } from '../../requirements/check-result.tsx'

const most = 1_000

/** The answer whether the material meets a requirement of the company. */
export const Check = ({ certificate: { id } }: { readonly certificate: Certificate }) => {
  const t = useTexts('requirements')
  const { company, may } = useHere()
  const { data: kept = [] } = useQuery({
    queryKey: ['requirements', company, 'names'],
    queryFn: ({ signal }) => api.listRequirements({ company, query: { limit: most }, signal }),
  })
  const [against, setAgainst] = useState<string>()
  const check = useMutation({
    mutationFn: (hash: string) => api.checkCertificate({ company, body: { id, against: hash } }),
  })
  const choose = (hash: string): void => {
    setAgainst(hash)
    check.mutate(hash)
  }
  return (
    <Card title={t.meets} actions={check.data && <VerdictState verdict={check.data.verdict} />}>
      {kept.length === 0 ? (
        <p>
          {t.noRequirement}{' '}
          {may('keepRequirement') && (
            <Link to="/requirements/$id" params={{ id: 'new' }}>
              {t.add}
            </Link>
          )}
        </p>
      ) : (
        <Select
          label={t.against}
          placeholder={t.choose}
          options={kept.map(({ hash, name }) => ({ id: hash, label: name }))}
          value={against}
          onChange={choose}
        />
      )}
      {check.isError && (
        <Problem error={check.error} onRetry={() => against !== undefined && check.mutate(against)} />
      )}
      {check.data !== undefined && <CheckResult check={check.data} />}
    </Card>
  )
}
