import { useState } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Notice } from '../../ui/problem.tsx'
import { Fold } from '../../ui/screen.tsx'
import { examples } from './examples.ts'

/** Passes a secret from the screen that created the webhook to the one that shows it, once and only in memory. */
const remembered = new Map<string, string>()

export const rememberSecret = (hook: string, secret: string): void => {
  remembered.set(hook, secret)
}

export const takeSecret = (hook: string): string | undefined => {
  const secret = remembered.get(hook)
  remembered.delete(hook)
  return secret
}

export const ShownSecret = ({
  secret,
  onClose,
}: {
  readonly secret: string
  readonly onClose: () => void
}) => {
  const t = useTexts('webhooks')
  const common = useTexts('common')
  return (
    <Notice kind="warn">
      <strong>{t.secretTitle}</strong>
      <p>{t.secretText}</p>
      <Copyable text={secret} label={t.secret} />
      <div className="row">
        <Button onPress={onClose}>{common.close}</Button>
      </div>
    </Notice>
  )
}

/** Code that verifies the signature of a request. */
export const Examples = () => {
  const t = useTexts('webhooks')
  const [language, setLanguage] = useState<keyof typeof examples>('Node')
  return (
    <Fold title={t.verifyTitle}>
      <div className="stack">
        <div className="chips" role="group" aria-label={t.verifyTitle}>
          {(Object.keys(examples) as (keyof typeof examples)[]).map((name) => (
            <button
              key={name}
              type="button"
              className="chip"
              aria-pressed={name === language}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <pre className="mono json">{examples[language]}</pre>
      </div>
    </Fold>
  )
}
