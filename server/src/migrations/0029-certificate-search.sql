alter table certificates add column family text;
update certificates set family = coalesce(substring(ref_schema_url from '/([a-z0-9-]{1,60})-schemas/'), 'other');
alter table certificates alter column family set not null;
comment on column certificates.family is 'The family of the schema that it was checked with: en10168, coa, …';

create index certificates_state on certificates (company_id, mode, state, id);
create index certificates_identity on certificates (company_id, mode, identity_id, id);
create index certificates_family on certificates (company_id, mode, family, id);
create index certificates_recorded on certificates (company_id, mode, recorded_at, id) where recorded_at is not null;
-- For prefixes, in every locale.
create index certificates_hash on certificates (hash collate "C");
create index certificates_pdf_hash on certificates (pdf_hash collate "C") where pdf_hash is not null;

create table certificate_texts (
  certificate_id uuid primary key references certificates on delete cascade,
  company_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  place bigint not null generated always as identity,
  words text not null
);
comment on table certificate_texts is 'What a search by text finds; erased with the body of the certificate';
comment on column certificate_texts.place is 'The order of acceptance; 4096 consecutive places are a block';
comment on column certificate_texts.words is 'Letters and digits without case and accents, with a space between words';

-- The beginning of each word, and every three characters in it: 'ab' gives ' a' and ' ab'.
create function text_grams(words text) returns text[] language plpgsql immutable strict parallel restricted cost 100000 as $$
declare
  grams text[] := '{}';
  word text;
begin
  foreach word in array string_to_array(words, ' ') loop
    grams := grams || (' ' || left(word, 1));
    for at in 1 .. length(word) - 1 loop
      grams := grams || substr(' ' || word, at, 3);
    end loop;
  end loop;
  return grams;
end $$;

-- A key is a block and a gram of one scope. Not for parallel workers, which would start for each block. Numbers of blocks come again after 512, so that the index does not grow for
-- ever: GIN keeps every key that it ever had.
create function text_keys(place bigint, scope text, grams text[]) returns bigint[] language sql immutable strict parallel restricted cost 1000 as $$
  select array_agg((((place >> 12) & 511) << 32) | (hashtextextended(scope || gram, 0) & 4294967295))
  from unnest(grams) as gram
$$;

-- Certificates of earlier releases: without their heats, which only their bodies name.
insert into certificate_texts (certificate_id, company_id, mode, words)
select id, company_id, mode, words
from certificates, lateral (
  select trim(regexp_replace(
    lower(regexp_replace(normalize(string_agg(value, ' '), nfkd), '[\u0300-\u036f]', '', 'g')), '[^[:alnum:]]+', ' ', 'g')) as words
  from json_each_text(summary::json)
) as text
where body is not null and words <> ''
order by id;

create index certificate_texts_place on certificate_texts (company_id, mode, place);
-- Without a list of pending entries, which every search would read.
create index certificate_texts_keys on certificate_texts
  using gin (text_keys(place, company_id::text || mode, text_grams(words))) with (fastupdate = off);
