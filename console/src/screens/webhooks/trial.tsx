import type { HookTrial } from '@millseal/contract'
import { useTexts } from '../../texts/catalog.ts'
import { useServerWords } from '../../texts/server-words.ts'
import { Notice } from '../../ui/problem.tsx'
import { Fold } from '../../ui/screen.tsx'
import { AttemptDetails } from './attempt.tsx'

/** The answer of the receiver to a test before the webhook exists. */
export const Trial = ({ trial }: { readonly trial: HookTrial }) => {
  const t = useTexts('webhooks')
  const inWords = useServerWords()
  const { delivered, statusCode = 0, durationMs, error, reasons, payload } = trial
  return (
    <Notice kind={delivered ? 'good' : 'warn'}>
      <p>
        <strong>{delivered ? t.testGood(statusCode, durationMs) : t.testBad}</strong>
      </p>
      {error !== undefined && <p>{inWords(error, reasons)}</p>}
      <AttemptDetails attempt={trial} />
      <Fold title={t.payload}>
        <pre className="mono json">{payload}</pre>
      </Fold>
    </Notice>
  )
}
