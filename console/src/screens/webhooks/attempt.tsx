import type { EventRecord } from '@millseal/contract'
import { useTexts } from '../../texts/catalog.ts'
import { Fold } from '../../ui/screen.tsx'

type Attempt = NonNullable<EventRecord['attempts']>[number]

const lines = (headers: Readonly<Record<string, string>> = {}): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The request as it was sent, and its answer. */
export const AttemptDetails = ({ attempt }: { readonly attempt: Attempt }) => {
  const t = useTexts('webhooks')
  const { request, statusCode, answer, answerHeaders } = attempt
  return (
    <>
      {request !== undefined && (
        <Fold title={t.request}>
          <pre className="mono json">{`POST ${request.url}\n${lines(request.headers)}`}</pre>
        </Fold>
      )}
      <Fold title={t.answer}>
        <pre className="mono json">
          {statusCode === undefined
            ? t.noAnswer
            : `${statusCode}\n${lines(answerHeaders)}\n\n${answer ?? ''}`.trim()}
        </pre>
      </Fold>
    </>
  )
}
