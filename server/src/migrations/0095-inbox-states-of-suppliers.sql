create index inbox_supplier_state on inbox (company_id, mode, supplier, state, id desc);
