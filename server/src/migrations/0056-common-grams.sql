-- Of a gram that many certificates of a block have, a bit for each place. It is 0 if the certificate there lacks the gram or is of another company or mode, and 1 for a place that had no
-- certificate when the block was read, because one may have been written at the same time. So a search skips places whose bit is 0, and tests the others.
create table common_grams (
  direction text not null check (direction in ('issued', 'received')),
  company_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  block bigint not null,
  gram text not null,
  places bit(4096) not null,
  primary key (company_id, mode, direction, block, gram)
);
comment on table common_grams is 'Which certificates of a block of certificate_texts or received_texts may have a gram that many of them have; erased with the last text of the company in the block';

create table read_blocks (
  direction text primary key check (direction in ('issued', 'received')),
  next_block bigint not null
);
comment on table read_blocks is 'How far the blocks of texts were read for common_grams';

-- To read a block with the texts of all companies.
create index certificate_texts_block on certificate_texts using brin (place) with (pages_per_range = 16, autosummarize = on);
create index received_texts_block on received_texts using brin (place) with (pages_per_range = 16, autosummarize = on);
