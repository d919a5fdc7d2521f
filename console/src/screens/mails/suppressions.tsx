import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'

/** Addresses to which nothing is sent, because their server refused. */
export const Suppressions = () => {
  const t = useTexts('mails')
  const { company, may } = useHere()
  const queries = useQueryClient()
  const { data: suppressions } = useSuspenseQuery({
    queryKey: ['suppressions', company],
    queryFn: () => api.listSuppressions({ params: { id: company } }),
  })
  const allow = useMutation({
    mutationFn: (suppressionId: string) => api.deleteSuppression({ params: { id: company, suppressionId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['suppressions', company] }),
  })
  if (suppressions.length === 0) return null
  return (
    <Card title={t.suppressed}>
      <p className="muted">{t.suppressedText}</p>
      {allow.isError && <Problem error={allow.error} />}
      <ul className="entries">
        {suppressions.map(({ id, address, reason, detail }) => (
          <li key={id}>
            <div className="row">
              <strong>{address}</strong>
              <span className="muted">{[t.reasons[reason], detail].filter(Boolean).join(': ')}</span>
              <span className="end">
                {may('deleteSuppression') && reason !== 'unsubscribed' && (
                  <Button kind="quiet" onPress={() => allow.mutate(id)}>
                    {t.allow}
                  </Button>
                )}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
