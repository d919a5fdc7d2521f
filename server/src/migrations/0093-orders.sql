create table order_lines (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  order_key text not null,
  item_key text not null,
  hash text not null,
  content jsonb not null,
  in_use boolean not null,
  created_at timestamptz not null
);
comment on table order_lines is 'What a company ordered; every version of a line stays, because decisions name its hash';
comment on column order_lines.order_key is 'The number of the order as it is compared; item_key is empty without an item';
comment on column order_lines.hash is 'SHA-256 of the canonical JSON of the content, hex';
comment on column order_lines.in_use is 'The newest version of its order and item, unless it was taken out of use';

create unique index order_lines_hash on order_lines (company_id, hash);
create unique index order_lines_item on order_lines (company_id, order_key, item_key) where in_use;
create index order_lines_list on order_lines (company_id, id desc) where in_use;

alter table inbox add column order_key text;
alter table inbox add column item_key text;
alter table inbox add column amounts text;
alter table inbox add column ordered text;
comment on column inbox.order_key is 'The order that the certificate names, as it is compared; item_key is that of its item';
comment on column inbox.amounts is 'How much was delivered, as the certificate says it, as JSON';
comment on column inbox.ordered is 'The comparison with the order line without its lines, as JSON';
create index inbox_order on inbox (company_id, mode, order_key) where order_key is not null;

alter table inbox_decisions add column ordered text;
comment on column inbox_decisions.ordered is 'The order line that it was made with, as JSON';
