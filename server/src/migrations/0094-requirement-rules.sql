create table requirement_rules (
  company_id uuid primary key references companies on delete cascade,
  rules text not null,
  changed_at timestamptz not null
);
comment on table requirement_rules is 'Which requirement of a company applies to a certificate, if nobody chose one and its order line names none; rules are JSON';
