import type { Certificate } from '@millseal/contract'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, memo, type MouseEvent } from 'react'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { CertificateState } from '../data/certificate-state.tsx'
import { numberOf } from '../data/number.ts'

export type RowContext = {
  /** Received certificates show their issuer; our own show their customer and identity. */
  readonly isReceived: boolean
  readonly nameOfIdentity: (id: string) => string | undefined
  readonly kindName: (refSchemaUrl: string) => string
}

type Props = RowContext & {
  readonly certificate: Certificate
  readonly index: number
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onActive: (index: number) => void
  readonly onToggle: (id: string) => void
  readonly onOpen: (certificate: Certificate) => void
  readonly style: CSSProperties
}

/** A click beside the link also opens the certificate, unless it ends the marking of a text. */
const opens = (event: MouseEvent<HTMLElement>): boolean =>
  event.target instanceof Element &&
  event.target.closest('a, input, label') === null &&
  document.getSelection()?.isCollapsed !== false

const RowOf = (props: Props) => {
  const { certificate, index, isActive, isSelected, onActive, onToggle, onOpen, style, ...context } = props
  const t = useTexts('certificates')
  const number = numberOf(certificate)
  return (
    <div
      role="row"
      id={`row-${certificate.id}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-active={isActive}
      style={style}
      onClick={(event) => {
        onActive(index)
        if (opens(event)) onOpen(certificate)
      }}
    >
      <div role="gridcell" className="check">
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isSelected}
            onChange={() => onToggle(certificate.id)}
            aria-label={t.selectRow(number)}
          />
        </label>
      </div>
      <div role="gridcell" className="number">
        <Link to="/certificates/$id" params={{ id: certificate.id }} tabIndex={-1}>
          {number}
        </Link>
      </div>
      <Cells certificate={certificate} {...context} />
    </div>
  )
}

const Cells = ({
  certificate,
  isReceived,
  nameOfIdentity,
  kindName,
}: RowContext & Pick<Props, 'certificate'>) => {
  const { time } = useFormats()
  const { summary, createdAt, timestamp } = certificate
  const at = isReceived ? (timestamp ?? createdAt) : (createdAt ?? timestamp)
  const cells = [
    ['kind', kindName(certificate.refSchemaUrl)],
    ['party', isReceived ? summary?.sellerName : summary?.buyerName],
    ['order', summary?.orderNumber],
    ['heat', <Heats heats={summary?.heats ?? []} />],
    ['product', summary?.productDescription],
    ...(isReceived ? [] : [['identity', nameOfIdentity(certificate.identity)] as const]),
    ['status', <CertificateState certificate={certificate} />],
    ['date', at === undefined ? undefined : time(at)],
  ] as const
  return cells.map(([name, content]) => (
    <div key={name} role="gridcell" className={name}>
      {content}
    </div>
  ))
}

const mostHeats = 2

/** The first heats, and how many more there are; a heat that is cut off is none. */
const Heats = ({ heats }: { readonly heats: readonly string[] }) => {
  const all = heats.flatMap((heat) => heat.split(/[,;]\s*/))
  const more = all.length - mostHeats
  return (
    <span title={more > 0 ? all.join(', ') : undefined}>
      {all.slice(0, mostHeats).join(', ')}
      {more > 0 && ` +${more}`}
    </span>
  )
}

export const Row = memo(
  RowOf,
  (before, now) =>
    before.certificate === now.certificate &&
    before.index === now.index &&
    before.isActive === now.isActive &&
    before.isSelected === now.isSelected &&
    before.nameOfIdentity === now.nameOfIdentity &&
    before.kindName === now.kindName &&
    before.style.transform === now.style.transform &&
    before.style.height === now.style.height,
)
