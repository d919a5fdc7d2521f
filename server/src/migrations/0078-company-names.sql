-- What the name of a company is for a reader: two names with the same key are easily taken for each other. docs/names.md says what is covered.
-- Look-alikes as in name_skeleton; then letter case, legal form, punctuation and spaces do not count. It depends on no locale.
create function company_name_key(name text) returns text language sql immutable strict parallel safe as $$
  with looks as (
    select replace(replace(replace(replace(
      -- Greek letters whose small forms look like other Latin letters count as capitals; all other capitals that are left, as small ones.
      name_skeleton(translate(name_skeleton(translate(normalize(name, nfkd), 'ςηνυζμ', 'σΗΝΥΖΜ')),
        'БГДЖЗИЛПФЦЧШЩЪЫЭЮЯЄЂЋЉЊЏÆŒẞ' || 'ΓΔΘΛΞΠΣΦΨΩ', 'бгджзилпфцчшщъыэюяєђћљњџæœß' || 'γδθλξπσφψω')),
      'i', 'l'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') as text
  ), words as (
    select word, place,
      word = any (string_to_array(replace(
        'gmbh mbh ag kg kgaa ohg gbr se ug ev eg ek co and und et y e ltd limited plc llc llp lp inc incorporated corp '
        || 'corporation company sa sas sarl sasu spa srl snc sl slu bv nv vof cv ab as asa aps oy oyj kft zrt nyrt rt sp z oo zoo '
        || 'sro doo dd ad ood eood ead jsc pjsc ojsc ooo oao pao ao tov pte pty pvt kk lda ltda sti nao зao', 'i', 'l'), ' ')) as is_form
    from looks, regexp_split_to_table(
      -- S. p. A. and S.p.A. as SpA
      regexp_replace(regexp_replace(text, '(?<![a-z])([a-z])\. +(?=[a-z]\.)', '\1', 'g'), '[.''`\u00b4\u2018\u2019\u02bc]', '', 'g'),
      '[\u0001- !-/:-@\[-`{-\u00bf\u00d7\u00f7\u2000-\u206f\u2190-\u2bff\u3000-\u303f]+') with ordinality as w (word, place)
    where word <> ''
  ), telling as (
    select string_agg(word, '' order by place) as text from words
    where not is_form or not exists (select from words where not is_form)
  )
  select coalesce(replace(replace(regexp_replace(text, '([aou])e+', '\1', 'g'), 'rn', 'm'), 'vv', 'w'), name) from telling
$$;

alter table companies add column name_key text not null default '';
alter table company_reviews add column name_key text not null default '';
comment on column companies.name_key is 'The name as readers confuse it: company_name_key(name)';
comment on column company_reviews.name_key is 'The reviewed name as readers confuse it: company_name_key(company_name)';
update companies set name_key = company_name_key(name);
update company_reviews set name_key = company_name_key(company_name);
create index companies_name_key on companies (name_key) where verified_at is not null;
create index company_reviews_name_key on company_reviews (name_key) where decision = 'verified';

create function set_name_key() returns trigger language plpgsql as $$
begin
  new.name_key := company_name_key(to_jsonb(new) ->> tg_argv[0]);
  return new;
end
$$;
create trigger companies_name_key before insert or update of name on companies
  for each row execute function set_name_key('name');
create trigger company_reviews_name_key before insert or update of company_name on company_reviews
  for each row execute function set_name_key('company_name');
