import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { SignInAgain } from '../shell/sign-in-again.tsx'
import { useTexts } from '../texts/catalog.ts'
import { useServerWords } from '../texts/server-words.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'

/** The error, its remedy, and the number to tell the operator of the service. */
export const Problem = ({
  error,
  title,
  onRetry,
  children,
}: {
  readonly error: unknown
  /** The failed action, if the sentence of the server does not say it: "The company was not saved". */
  readonly title?: string
  readonly onRetry?: () => void
  readonly children?: ReactNode
}) => {
  const t = useTexts('common')
  const sentence = useSentence()(error)
  const inWords = useServerWords()
  const { details = [], reasons } = (error instanceof ApiError ? error.answer : undefined) ?? {}
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>{title ?? sentence}</strong>
      </p>
      {title !== undefined && <p>{sentence}</p>}
      {details.length > 0 && (
        <ul>
          {details.map((detail, at) => (
            <li key={detail}>{inWords(detail, reasons?.slice(at, at + 1))}</li>
          ))}
        </ul>
      )}
      {children}
      {error instanceof ApiError && error.code === 'step_up_required' && (
        <SignInAgain again onDone={onRetry} />
      )}
      {(onRetry !== undefined || requestId !== undefined) && (
        <div className="row">
          {onRetry !== undefined && <Button onPress={onRetry}>{t.tryAgain}</Button>}
          {requestId !== undefined && (
            <span className="muted row">
              {t.requestId} <span className="mono">{requestId}</span>
              <CopyButton text={requestId} label={t.requestId} />
            </span>
          )}
        </div>
      )}
    </div>
  )
}

/** Returns the sentence of an error, in the language of the person. */
const useSentence = (): ((error: unknown) => string) => {
  const t = useTexts('common')
  const sentences = useTexts('problems')
  return (error) => {
    if (!(error instanceof ApiError)) return t.unreachable
    const known = error.code === undefined ? undefined : sentences[error.code]
    // The server appends the details to its message, after a colon.
    const { message = t.unexpected(error.status), details = [] } = error.answer ?? {}
    return (
      known ??
      (details.length === 0 ? message : message.slice(0, message.length - details.join(', ').length - 2))
    )
  }
}

export const Notice = ({
  kind,
  children,
}: {
  readonly kind: 'good' | 'warn'
  readonly children: ReactNode
}) => (
  <div className={`notice ${kind}`} role="status">
    {children}
  </div>
)
