import type {
  Block,
  Column,
  Field,
  MissingPicture,
  Picture,
  Section,
  Table,
  Text,
} from '../model/document.ts'
import { alignDecimals } from './alignment.ts'
import { dataAddress, type Markup, markup } from './markup.ts'
import { splitTable } from './split-table.ts'

/** A text in one or two languages; the second is lighter. */
export const renderText = (text: Text, languages: readonly string[]): Markup => {
  const [first = '', second] = text
  return second === undefined
    ? markup`${first}`
    : markup`${first} <span class="second" lang="${languages[1] ?? ''}">${second}</span>`
}

export const renderSection = ({ title, role, blocks }: Section, languages: readonly string[]): Markup => {
  const heading = title === undefined ? undefined : markup`<h2>${renderText(title, languages)}</h2>`
  return markup`<section${role === undefined ? '' : markup` class="${role}"`}>${heading}${blocks.map((block) => renderBlock(block, languages))}</section>
`
}

const renderBlock = (block: Block, languages: readonly string[]): Markup => {
  switch (block.kind) {
    case 'fields':
      return markup`<dl class="fields">${block.fields.map((field) => renderField(field, languages))}</dl>`
    case 'table':
      return markup`${splitTable(block.table).map((table) => renderTable(table, languages))}`
    case 'paragraph':
      return markup`<p class="text">${renderText(block.text, languages)}</p>`
    case 'heading':
      return markup`<h3 class="head">${renderText(block.text, languages)}</h3>`
    case 'picture':
      return markup`<figure>${renderPicture(block.picture, languages)}${
        block.caption === undefined
          ? undefined
          : markup`<figcaption>${renderText(block.caption, languages)}</figcaption>`
      }</figure>`
    default:
      return block satisfies never
  }
}

const longValue = 46

const renderField = ({ label, code, value, unit }: Field, languages: readonly string[]): Markup =>
  markup`<div${value.length > longValue ? markup` class="long"` : ''}><dt>${renderCode(code)}${renderText(label, languages)}</dt><dd>${value}${renderUnit(unit)}</dd></div>`

const renderCode = (code: string | undefined): Markup | undefined =>
  code === undefined ? undefined : markup`<span class="code">${code}</span>`

const renderUnit = (unit: string | undefined): Markup | undefined =>
  unit === undefined ? undefined : markup`<span class="unit">${unit}</span>`

const renderTable = (table: Table, languages: readonly string[]): Markup => {
  const { columns, rows, caption } = table
  const cells = columns.map((column, index) => {
    const texts = rows.map((row) => row.cells[index] ?? '')
    return column.align === 'end' ? alignDecimals(texts) : texts
  })
  return markup`<div class="wide"><table${columns.length < 4 ? markup` class="compact"` : ''}>${
    caption === undefined ? undefined : markup`<caption>${renderText(caption, languages)}</caption>`
  }<thead><tr>${columns.map((column) => renderColumn(column, languages))}</tr></thead><tbody>${rows.map(
    (row, line) =>
      markup`<tr${row.emphasis === undefined ? '' : markup` class="${row.emphasis}"`}>${columns.map(
        (column, index) => renderCell(column, cells[index]?.[line] ?? ''),
      )}</tr>`,
  )}</tbody></table></div>
`
}

const renderColumn = (column: Column, languages: readonly string[]): Markup =>
  markup`<th scope="col"${alignment(column)}>${renderCode(column.code)}${renderText(column.label, languages)}${renderUnit(column.unit)}</th>`

const longWord = 24

const renderCell = (column: Column, text: string): Markup =>
  text.length > longWord && column.align === 'start'
    ? markup`<td class="any">${text}</td>`
    : markup`<td${alignment(column)}>${text}</td>`

const alignment = ({ align }: Column): Markup | string => (align === 'end' ? markup` class="end"` : '')

export const renderPicture = (picture: Picture | MissingPicture, languages: readonly string[]): Markup =>
  'missing' in picture
    ? markup`<span class="missing">${renderText(picture.missing, languages)}</span>`
    : markup`<img alt="${picture.alternative.join(' / ')}" src="${dataAddress(picture.type, picture.base64)}">`
