-- Texts as people sort them: without case and accents, and 9 before 10. Nothing sorts after all texts.
create function sort_key(sorted text) returns text language plpgsql immutable parallel safe as $$
declare
  key text;
begin
  if sorted is null then
    return '~';
  end if;
  key := btrim(lower(regexp_replace(normalize(sorted, nfkd), '[\u0300-\u036f]', '', 'g')));
  if key = '' then
    return '~';
  end if;
  if key ~ '[0-9]' then
    select string_agg(case when part[1] ~ '^[0-9]' then lpad(part[1], greatest(length(part[1]), 12), '0') else part[1] end, '' order by at)
    into key from regexp_matches(key, '[0-9]+|[^0-9]+', 'g') with ordinality as t (part, at);
  end if;
  return left(key, 200);
end $$;

create index certificates_number on certificates (company_id, mode, sort_key(summary::json ->> 'identifier') collate "C", id);
create index certificates_party on certificates (company_id, mode, sort_key(summary::json ->> 'buyerName') collate "C", id);

alter table certificate_receivers add column number text not null default '~';
alter table certificate_receivers add column party text not null default '~';
comment on column certificate_receivers.number is 'sort_key of the number; ~ once the body of the certificate is erased';
comment on column certificate_receivers.party is 'sort_key of the seller; ~ once the body of the certificate is erased';
update certificate_receivers r
set number = sort_key(c.summary::json ->> 'identifier'), party = sort_key(c.summary::json ->> 'sellerName')
from certificates c where c.id = r.certificate_id;
create index certificate_receivers_number on certificate_receivers (company_id, mode, number collate "C", certificate_id);
create index certificate_receivers_party on certificate_receivers (company_id, mode, party collate "C", certificate_id);
