import type { Certificate } from '@millseal/contract'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, memo, type MouseEvent } from 'react'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { CertificateState } from '../data/certificate-state.tsx'
import { useKindName } from '../data/kind.ts'
import { numberOf } from '../data/number.ts'

export type RowContext = {
  /** What others issued shows its issuer, our own its customer and identity. */
  readonly isReceived: boolean
  readonly nameOfIdentity: (id: string) => string | undefined
}

type Props = RowContext & {
  readonly certificate: Certificate
  readonly index: number
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onToggle: () => void
  readonly onOpen: () => void
  readonly style: CSSProperties
}

/** A click beside the link opens the certificate, too, unless it ends the marking of a text. */
const opens = (event: MouseEvent<HTMLElement>): boolean =>
  event.target instanceof Element &&
  event.target.closest('a, input, label') === null &&
  document.getSelection()?.isCollapsed !== false

const RowOf = (props: Props) => {
  const { certificate, index, isActive, isSelected, isReceived, nameOfIdentity, onToggle, onOpen, style } = props
  const t = useTexts('certificates')
  const { time } = useFormats()
  const kindName = useKindName()
  const number = numberOf(certificate)
  const { summary, createdAt, timestamp } = certificate
  return (
    <div
      role="row"
      id={`row-${certificate.id}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-active={isActive}
      style={style}
      onClick={(event) => {
        if (opens(event)) onOpen()
      }}
    >
      <div role="gridcell" className="check">
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isSelected}
            onChange={onToggle}
            aria-label={t.selectRow(number)}
          />
        </label>
      </div>
      <div role="gridcell" className="number">
        <Link to="/certificates/$id" params={{ id: certificate.id }} tabIndex={-1}>
          {number}
        </Link>
      </div>
      <div role="gridcell" className="kind">
        {kindName(certificate.refSchemaUrl)}
      </div>
      <div role="gridcell" className="party">
        {isReceived ? summary?.sellerName : summary?.buyerName}
      </div>
      <div role="gridcell" className="order">
        {summary?.orderNumber}
      </div>
      <div role="gridcell" className="product">
        {summary?.productDescription}
      </div>
      {!isReceived && (
        <div role="gridcell" className="identity">
          {nameOfIdentity(certificate.identity)}
        </div>
      )}
      <div role="gridcell" className="status">
        <CertificateState certificate={certificate} />
      </div>
      <div role="gridcell" className="date">
        {time((isReceived ? timestamp : undefined) ?? createdAt ?? timestamp ?? 0)}
      </div>
    </div>
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
    before.style.transform === now.style.transform &&
    before.style.height === now.style.height,
)
