/*
 * The rule of all keys (plans.only in package engine): a decider that finds a slot
 * takes the only rule for the slot's own without a look at its number. A changer
 * replaces rule 0 by rule 1, and then 1 by 2, while requests go on:
 *
 *   add the new rule       only is none
 *   rebuild the shard      seal, copy under the new rule, publish
 *   remove the old rule    only is the new one
 *
 * Claim: a word that was open when it was loaded is decided by the rule that it was
 * written by, and by no other.
 */

#define EPOCHS 3
#define NONE   255

typedef Epoch {
	bool sealed;
	byte rule;  /* the slot's, which never changes */
	byte v;
};

Epoch epoch[EPOCHS];
byte dir;
byte only;
byte done;

proctype decider() {
	byte e, r, v;
again:
#ifdef ONLY_BEFORE_SLOT
	r = only;
	e = dir;
#else
	e = dir;
#ifndef ONLY_AFTER_WORD
	r = only;
#endif
#endif
	atomic {
		if
		:: epoch[e].sealed -> goto again /* by the lock, which waits for the changer */
		:: else -> v = epoch[e].v
		fi
	};
#ifdef ONLY_AFTER_WORD
	r = only;
#endif
	if
	:: r == NONE -> r = epoch[e].rule
	:: else
	fi;
	assert(r == epoch[e].rule); /* a denial ends here */
	atomic { /* the compare-and-swap */
		if
		:: !epoch[e].sealed && epoch[e].v == v ->
			epoch[e].v = v + 1
		:: else -> goto again
		fi
	};
	done++
}

inline change(to) {
#ifndef ADD_KEEPS_ONLY
	only = NONE;
#endif
#ifdef REMOVE_BEFORE_SEAL
	only = to;
#endif
	atomic { epoch[dir].sealed = true; epoch[to].v = epoch[dir].v };
	epoch[to].rule = to;
	dir = to;
	only = to
}

active proctype changer() {
	change(1);
	change(2);
	done++
}

init {
	atomic { run decider(); run decider() };
	done == 3;
	assert(epoch[dir].v == 2) /* both are counted */
}

ltl ends { <> (done == 3) }
