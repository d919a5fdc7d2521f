import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Notice } from '../../ui/problem.tsx'

export type Shown =
  | { readonly kind: 'application'; readonly clientId: string; readonly secret: string }
  | { readonly kind: 'token'; readonly secret: string }

/** A secret that the server shows only once. It is on the screen until the person closes it, and nowhere else. */
export const NewSecret = (props: Shown & { readonly onClose: () => void }) => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const { kind, secret, onClose } = props
  return (
    <Notice kind="warn">
      <strong>{t.secretTitle}</strong>
      <p>{t.secretText}</p>
      <Copyable text={secret} label={kind === 'token' ? t.token : t.secret} />
      {kind === 'application' && (
        <>
          <p>{t.tokenCurl}</p>
          <Copyable
            label={t.tokenCurl}
            text={`curl -X POST '${location.origin}/api/tokens' -H 'content-type: application/json' -d '${JSON.stringify({ clientId: props.clientId, clientSecret: secret })}'`}
          />
        </>
      )}
      <div className="row">
        <Button onPress={onClose}>{common.close}</Button>
      </div>
    </Notice>
  )
}
